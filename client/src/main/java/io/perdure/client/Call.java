package io.perdure.client;

import io.perdure.sdk.json.Json;
import io.perdure.sdk.wire.RestHeaders;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of the server.
 *
 * @param path after the server's URL, with its query
 * @param length how long the server may take for it; no less than a request takes in any case
 * @param oneTry how long one try may take besides that
 * @param waits whether that is to wait for something to happen
 * @param again when it is sent again
 * @param patience for how long it is sent again at most; absent for as long as the client does
 */
record Call(
        String method,
        String path,
        @Nullable Json body,
        Map<String, String> headers,
        Duration length,
        Duration oneTry,
        boolean waits,
        Again again,
        @Nullable Duration patience) {
    /** How long a try may take unless said otherwise. */
    static final Duration TRY = Duration.ofSeconds(10);

    /** When a call is sent again. */
    enum Again {
        /** Also where nobody knows what became of it: the server does it once. */
        ALWAYS,
        /** Only where it was not done: the server was not reached, or said so. */
        IF_UNDONE
    }

    Call {
        headers = Map.copyOf(headers);
    }

    /** A question, which changes nothing. */
    static Call get(String path) {
        return new Call("GET", path, null, Map.of(), Duration.ZERO, TRY, false, Again.ALWAYS, null);
    }

    /** A change. It bears this id however often it is sent, so that the server can tell. */
    static Call change(String method, String path, @Nullable Json body, UUID request, Again again) {
        return new Call(
                method,
                path,
                body,
                Map.of(RestHeaders.REQUEST, request.toString()),
                Duration.ZERO,
                TRY,
                false,
                again,
                null);
    }

    /** A change that comes out the same however often it is sent, by what it says itself. It bears no id, so that the server has nothing to note. */
    static Call natural(String method, String path, Json body, Again again) {
        return new Call(method, path, body, Map.of(), Duration.ZERO, TRY, false, again, null);
    }

    /** The same, which the server may take so long to answer. */
    Call lasting(Duration atMost) {
        return new Call(method, path, body, headers, atMost, oneTry, waits, again, patience);
    }

    /** The same, for which the server waits so long; no wait at all where that is nought. */
    Call waiting(Duration atMost) {
        return new Call(method, path, body, headers, atMost, oneTry, atMost.isPositive(), again, patience);
    }

    /** The same, sent again for so long at most. */
    Call patience(Duration atMost) {
        return new Call(method, path, body, headers, length, oneTry, waits, again, atMost);
    }

    /** The same, of which one try may take so long. */
    Call oneTry(Duration atMost) {
        return new Call(method, path, body, headers, length, atMost, waits, again, patience);
    }

    /** The same, of which an earlier try may have arrived. */
    Call sentAgain() {
        return header(RestHeaders.AGAIN, "true");
    }

    /** The same, with one more header. */
    Call header(String name, String value) {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(name, value);
        return new Call(method, path, body, more, length, oneTry, waits, again, patience);
    }
}
