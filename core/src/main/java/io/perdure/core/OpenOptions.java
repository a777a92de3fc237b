package io.perdure.core;

import io.perdure.sdk.id.TenantId;

/**
 * How {@link Perdure} is opened.
 *
 * @param tenant whom everything belongs to that is sent and received
 */
public record OpenOptions(TenantId tenant) {
    private static final OpenOptions DEFAULTS = new OpenOptions(TenantId.DEFAULT);

    /** What holds unless said otherwise: the tenant {@code default}. */
    public static OpenOptions defaults() {
        return DEFAULTS;
    }

    /** The same for another tenant; a name that is not valid is {@code PD-001}. */
    public OpenOptions tenant(String name) {
        return new OpenOptions(new TenantId(name));
    }
}
