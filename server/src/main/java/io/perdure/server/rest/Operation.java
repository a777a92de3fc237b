package io.perdure.server.rest;

import io.perdure.sdk.key.Role;
import io.perdure.sdk.wire.FieldReader;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One thing that can be asked of the server.
 *
 * @param method in capitals, as in a request
 * @param path with a name in braces for each part that varies
 * @param id what the document calls it
 * @param role who may ask, besides administrators; absent where everybody may, without a key
 * @param query the parameters that it knows; one such as {@code tag.<name>} stands for all that begin so
 * @param once which requests that bear an id are done {@link Once}; absent for none
 * @param noted which of the other requests that bear an id and change something are noted under it, so that it cannot be used for another request
 * @param takesTurn whether only a few are done at once, because each may have much to read
 */
record Operation(
        String method,
        String path,
        String id,
        @Nullable Role role,
        List<String> query,
        boolean takesBody,
        @Nullable Predicate<Exchange> once,
        Predicate<Exchange> noted,
        boolean takesTurn,
        Handler handler) {
    private static final Predicate<Exchange> ALL = _ -> true;

    /** Does what is asked, and answers. */
    @FunctionalInterface
    interface Handler {
        void handle(Exchange exchange);
    }

    /** A read for clients. */
    static Operation get(String path, String id, Handler handler) {
        return new Operation("GET", path, id, Role.CLIENT, List.of(), false, null, ALL, false, handler);
    }

    /** A write for clients, with a body. */
    static Operation post(String path, String id, Handler handler) {
        return new Operation("POST", path, id, Role.CLIENT, List.of(), true, null, ALL, false, handler);
    }

    /** A change for clients, with a body. */
    static Operation patch(String path, String id, Handler handler) {
        return new Operation("PATCH", path, id, Role.CLIENT, List.of(), true, null, ALL, false, handler);
    }

    /** A removal for clients. */
    static Operation delete(String path, String id, Handler handler) {
        return new Operation("DELETE", path, id, Role.CLIENT, List.of(), false, null, ALL, false, handler);
    }

    /** Whether it changes nothing. */
    boolean isRead() {
        return method.equals("GET");
    }

    /** Returns whether this request, if it bears an id, is noted under it. */
    boolean isNoted(Exchange exchange) {
        return !isRead() && noted.test(exchange);
    }

    /** Whether this request, if it bears an id, is to be done {@link Once}. */
    boolean isDoneOnce(Exchange exchange) {
        return once != null && once.test(exchange);
    }

    /** The same, done {@link Once} for each id. */
    Operation doneOnce() {
        return new Operation(method, path, id, role, query, takesBody, ALL, noted, takesTurn, handler);
    }

    /** The same, done {@link Once} for each id, except where the body has these fields: what that asks for can be done twice. */
    Operation doneOnceUnless(Predicate<FieldReader> natural) {
        return new Operation(
                method,
                path,
                id,
                role,
                query,
                takesBody,
                exchange -> !natural.test(exchange.allFields()),
                noted,
                takesTurn,
                handler);
    }

    /** Returns the same operation, of which only these requests are noted if they bear an id. */
    Operation notedIf(Predicate<Exchange> which) {
        return new Operation(method, path, id, role, query, takesBody, once, which, takesTurn, handler);
    }

    /** The same with these parameters. One with a {@code limit} reads a page of a list, and takes turns. */
    Operation query(String... names) {
        List<String> known = List.of(names);
        return new Operation(
                method, path, id, role, known, takesBody, once, noted, takesTurn || known.contains("limit"), handler);
    }

    /** The same, of which only a few are done at once. */
    Operation inTurns() {
        return new Operation(method, path, id, role, query, takesBody, once, noted, true, handler);
    }

    /** The same for administrators only. */
    Operation forAdministrators() {
        return new Operation(method, path, id, Role.ADMIN, query, takesBody, once, noted, takesTurn, handler);
    }

    /** The same for those who watch the server. */
    Operation forMonitors() {
        return new Operation(method, path, id, Role.MONITOR, query, takesBody, once, noted, takesTurn, handler);
    }

    /** The same for everybody. */
    Operation forEverybody() {
        return new Operation(method, path, id, null, query, takesBody, once, noted, takesTurn, handler);
    }

    /** The same under another path. */
    Operation also(String otherPath, String otherId) {
        return new Operation(method, otherPath, otherId, role, query, takesBody, once, noted, takesTurn, handler);
    }
}
