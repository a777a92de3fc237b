package io.perdure.sdk.key;

import io.perdure.sdk.id.KeyId;
import io.perdure.sdk.id.KeyName;
import io.perdure.sdk.id.TenantId;
import java.time.Instant;
import java.util.Comparator;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A key by which a server knows who asks, without its secret.
 *
 * @param tenant whose data it opens
 * @param name what people know it by
 * @param createdAt when it was made, by the store's clock, as are the other times
 * @param expiresAt from when on it no longer counts; absent where it does not expire
 * @param revokedAt when it was revoked; absent where it was not
 */
public record ApiKey(
        KeyId id,
        TenantId tenant,
        KeyName name,
        Role role,
        Instant createdAt,
        @Nullable Instant expiresAt,
        @Nullable Instant revokedAt) {
    /** By when they were made, then by id. */
    public static final Comparator<ApiKey> ORDER =
            Comparator.comparing(ApiKey::createdAt).thenComparing(ApiKey::id);

    /** Whether a key counts, and if not, why. */
    public enum State {
        ACTIVE,
        EXPIRED,
        REVOKED;

        private final String word = name().toLowerCase(Locale.ROOT);

        /** The state as it is written and spoken: in lower case. */
        public String word() {
            return word;
        }
    }

    /** How the key stands at a time of the store's clock. One that was revoked stays so, whatever the time. */
    public State stateAt(Instant time) {
        if (revokedAt != null) {
            return State.REVOKED;
        }
        return expiresAt != null && !expiresAt.isAfter(time) ? State.EXPIRED : State.ACTIVE;
    }

    /** The same key, revoked then. */
    public ApiKey revoked(Instant at) {
        return new ApiKey(id, tenant, name, role, createdAt, expiresAt, at);
    }
}
