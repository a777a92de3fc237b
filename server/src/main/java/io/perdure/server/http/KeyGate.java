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

    private static final Pattern LOCAL =
            Pattern.compile("(localhost|127([.][0-9]{1,3}){3}|\\[::1\\])(:[0-9]{1,5})?", Pattern.CASE_INSENSITIVE);

    private static final HeaderName VIA = HeaderNames.create("Via");

    /** The value of {@code Via} in a request that came as one of HTTP/1.0. */
    public static final String VIA_OLD = "1.0 perdure";

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
     * Refuses what may come from another machine. A page of another site can use a browser on this machine to send requests: the browser then names the
     * page's origin, or, if the page's own name was made to lead here, that name as the host. A proxy on this machine passes on the requests of others.
     */
    private static void requireNeighbour(ServerRequestHeaders headers) {
        String host = headers.first(HeaderNames.HOST).orElse("");
        headers.first(HeaderNames.ORIGIN)
                .filter(origin -> !origin.equals("http://" + host) && !origin.equals("https://" + host))
                .ifPresent(_ -> refuse("The request comes from a page of another site (header Origin)."));
        if (headers.values(VIA).contains(VIA_OLD)) {
            refuse("The request is of HTTP/1.0, which proxies such as nginx speak by default.");
        }
        ProxyHeaders.find(headers)
                .ifPresent(name -> refuse("The request comes through a proxy (header %s).".formatted(name)));
        if (!LOCAL.matcher(host).matches()) {
            refuse("The request names a host other than localhost (header Host).");
        }
    }

    private static void refuse(String why) {
        throw new RefusedException(
                ErrorCode.NO_VALID_KEY,
                why
                        + " Without a key, only programs on this machine may send requests. Create a key: perdure key create NAME --role admin --store URL.");
    }
}
