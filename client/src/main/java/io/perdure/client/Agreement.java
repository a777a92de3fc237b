package io.perdure.client;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.wire.Terms;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which version of the worker's protocol is spoken with the server: the newest that both know. It is asked for before the first request, and
 * again when the server has come back as another release. Safe for many threads.
 */
final class Agreement {
    private static final String PATH = "/v1/worker";
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Transport transport;
    private final ProcessId worker;
    private final Limits limits;
    private final Set<Integer> ours;
    private volatile @Nullable Map<String, String> headers;
    private volatile boolean failed;

    Agreement(Transport transport, ProcessId worker, Limits limits, Set<Integer> ours) {
        this.transport = transport;
        this.worker = worker;
        this.limits = limits;
        this.ours = Set.copyOf(ours);
    }

    /** Asks the server as this worker, in the words that were agreed on; {@code PD-604} where there are none. */
    Json post(String route, Json body, Duration timeout) {
        try {
            return transport.send(transport.request("POST", PATH + route, body, headers()), timeout);
        } catch (PerdureException e) {
            failed = true;
            if (e.code() == ErrorCode.PROTOCOL_MISMATCH) {
                headers = null;
            }
            throw e;
        }
    }

    /** Whether any request of this worker has failed. */
    boolean hasFailed() {
        return failed;
    }

    private Map<String, String> headers() {
        Map<String, String> agreed = headers;
        return agreed == null ? agree() : agreed;
    }

    /** Agrees with the server; {@code PD-604} where the two are too far apart. */
    Map<String, String> agree() {
        try {
            return agreed();
        } catch (PerdureException e) {
            failed = true;
            throw e;
        }
    }

    private Map<String, String> agreed() {
        Json answer = transport.send(transport.request("GET", PATH, null, Map.of()), TIMEOUT);
        Terms terms = Calls.read("GET " + PATH, answer, Terms::read);
        int protocol = terms.agree(ours)
                .orElseThrow(() -> new RefusedException(
                        ErrorCode.PROTOCOL_MISMATCH,
                        "This worker speaks protocol %s; the server (%s) speaks %s."
                                .formatted(new TreeSet<>(ours), terms.server(), new TreeSet<>(terms.protocols()))));
        Duration needed = limits.workers().stepStartsWithin();
        if (terms.lease().compareTo(needed) <= 0) {
            throw new RefusedException(
                    ErrorCode.PROTOCOL_MISMATCH,
                    "The server (%s) leases runs for %s; this worker needs more than %s to work safely."
                            .formatted(terms.server(), terms.lease(), needed));
        }
        Map<String, String> agreed =
                Map.of(Terms.PROTOCOL_HEADER, Integer.toString(protocol), Terms.WORKER_HEADER, worker.toString());
        headers = agreed;
        return agreed;
    }
}
