package io.perdure.core.key;

import io.perdure.sdk.id.KeyId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.key.Role;

/**
 * Who asks, as a valid key proved.
 *
 * @param key which key it was, for logs
 * @param tenant whose data may be touched, and nobody else's
 * @param role what may be done with it
 */
public record Verified(KeyId key, TenantId tenant, Role role) {}
