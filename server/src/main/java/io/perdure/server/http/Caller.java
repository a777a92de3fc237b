package io.perdure.server.http;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.key.Role;
import java.util.Arrays;

/**
 * Who is asking, as the credential says and nothing else.
 *
 * @param key what the credential is known by; not the secret
 */
public record Caller(TenantId tenant, Role role, String key) {
    /** Throws {@code PD-602} unless the caller has one of these roles; an administrator may do everything. */
    public void require(Role... roles) {
        if (role != Role.ADMIN && !Arrays.asList(roles).contains(role)) {
            throw new RefusedException(
                    ErrorCode.KEY_NOT_ALLOWED,
                    "Key %s is of role %s; this needs %s.".formatted(key, role, Arrays.toString(roles)));
        }
    }
}
