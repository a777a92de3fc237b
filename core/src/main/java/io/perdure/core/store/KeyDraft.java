package io.perdure.core.store;

import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.KeyId;
import io.perdure.sdk.id.KeyName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.key.ApiKey;
import io.perdure.sdk.key.Role;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A key that is to be kept. When it was made, and when it expires, is decided by the store's clock.
 *
 * @param expiresAfter how long it counts; absent where it does not expire
 */
public record KeyDraft(
        KeyId id,
        TenantId tenant,
        KeyName name,
        Role role,
        @Nullable Duration expiresAfter,
        SecretHash hash) {
    public KeyDraft {
        if (expiresAfter != null) {
            Bounds.expiry(expiresAfter);
        }
    }

    /** The key that this becomes at a time of the store's clock. */
    public ApiKey madeAt(Instant now) {
        Instant expiresAt = expiresAfter == null ? null : Due.in(expiresAfter).fixedAt(now);
        return new ApiKey(id, tenant, name, role, now, expiresAt, null);
    }
}
