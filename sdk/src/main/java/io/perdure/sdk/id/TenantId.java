package io.perdure.sdk.id;

import java.util.regex.Pattern;

/** Names the tenant that every row, key and query belongs to. Nothing crosses tenants. */
public record TenantId(String value) implements Comparable<TenantId> {
    private static final Pattern PATTERN = Names.pattern("(?![_-])[a-z0-9_-]", Names.LIMITS.tenantCharacters());

    /** The tenant of an engine that was not told of any. */
    public static final TenantId DEFAULT = new TenantId("default");

    public TenantId {
        Names.matching("tenant", PATTERN, value);
    }

    @Override
    public int compareTo(TenantId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
