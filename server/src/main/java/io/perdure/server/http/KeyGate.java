package io.perdure.server.http;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.perdure.core.key.ApiKeys;
import io.perdure.core.key.Verified;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.key.Role;
import java.util.List;

/**
 * Lets in who shows a key. While the store has none, whoever reaches a server that only this machine can reach is an administrator of the
 * tenant {@code default}.
 */
public final class KeyGate implements Gate {
    private static final Caller NEIGHBOUR = new Caller(TenantId.DEFAULT, Role.ADMIN, "none");
    private static final String SCHEME = "Bearer ";

    private final ApiKeys keys;
    private final boolean withoutKeys;

    /**
     * Asks for these keys.
     *
     * @param withoutKeys whether everybody may come in while there are none
     */
    public KeyGate(ApiKeys keys, boolean withoutKeys) {
        this.keys = keys;
        this.withoutKeys = withoutKeys;
    }

    @Override
    public Caller admit(ServerRequest request) {
        List<String> shown = request.headers().values(HeaderNames.AUTHORIZATION);
        if (shown.isEmpty() && withoutKeys && !keys.any()) {
            return NEIGHBOUR;
        }
        if (shown.size() != 1 || !shown.getFirst().regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            throw new RefusedException(ErrorCode.NO_VALID_KEY, "There is no valid key with this request.");
        }
        Verified verified =
                keys.verify(shown.getFirst().substring(SCHEME.length()).strip());
        return new Caller(verified.tenant(), verified.role(), verified.key().value());
    }
}
