package io.perdure.server.http;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerRequestHeaders;
import io.helidon.webserver.http.ServerRequest;
import io.perdure.core.key.ApiKeys;
import io.perdure.core.key.Verified;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.key.Role;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Lets in who shows a key. While the store has none, whoever reaches a server that only this machine can reach is an administrator of the
 * tenant {@code default}.
 */
public final class KeyGate implements Gate {
    private static final Caller NEIGHBOUR = new Caller(TenantId.DEFAULT, Role.ADMIN, "none");
    private static final String SCHEME = "Bearer ";

    /** What a proxy adds: then whoever asks is behind it, and not on this machine. */
    private static final List<HeaderName> FORWARDED = List.of(
            HeaderNames.FORWARDED,
            HeaderNames.X_FORWARDED_FOR,
            HeaderNames.X_FORWARDED_HOST,
            HeaderNames.X_FORWARDED_PROTO,
            HeaderNames.create("Via"));

    private static final Pattern LOCAL =
            Pattern.compile("(localhost|127([.][0-9]{1,3}){3}|\\[::1\\])(:[0-9]{1,5})?", Pattern.CASE_INSENSITIVE);

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
            requireNeighbour(request.headers());
            return NEIGHBOUR;
        }
        if (shown.size() != 1 || !shown.getFirst().regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            throw new RefusedException(ErrorCode.NO_VALID_KEY, "There is no valid key with this request.");
        }
        Verified verified =
                keys.verify(shown.getFirst().substring(SCHEME.length()).strip());
        return new Caller(verified.tenant(), verified.role(), verified.key().value());
    }

    /**
     * A page of another site could use the browser of somebody on this machine to ask. The browser then names the page's origin, or, where the
     * page's own name was made to lead here, that name as the host.
     */
    private static void requireNeighbour(ServerRequestHeaders headers) {
        String host = headers.first(HeaderNames.HOST).orElse("");
        boolean another = headers.first(HeaderNames.ORIGIN)
                .filter(origin -> !origin.equals("http://" + host) && !origin.equals("https://" + host))
                .isPresent();
        boolean passedOn = FORWARDED.stream().anyMatch(headers::contains);
        if (another || passedOn || !LOCAL.matcher(host).matches()) {
            throw new RefusedException(
                    ErrorCode.NO_VALID_KEY,
                    "Without a key only programs on this machine may ask, and no other site's page.");
        }
    }
}
