package io.perdure.server;

import io.perdure.core.store.Finding;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import java.util.Locale;
import java.util.Optional;

/**
 * The number of connections that a server may have: fewer than the process may have open files, because a listener without a descriptor cannot accept.
 *
 * @param requests the number of requests that there may be at the same time
 * @param descriptors those of the process before it listens
 */
public record ConnectionPlaces(int requests, Descriptors descriptors) {
    private static final int LEAST = 16;

    /** Returns those of a server with these options in this process; throws {@code PD-610} if there is room for fewer than 16. */
    public static ConnectionPlaces of(ServerOptions options) {
        return of(options, Descriptors.now());
    }

    static ConnectionPlaces of(ServerOptions options, Descriptors descriptors) {
        if (descriptors.connections() < LEAST) {
            throw new InvalidValueException(
                    ErrorCode.SERVER_SETTINGS,
                    "This process may have %s open files, of which %s are in use. A server needs a limit of %s at least. Raise it, with `ulimit -n` for example."
                            .formatted(descriptors.limit(), descriptors.open(), descriptors.limitFor(LEAST)));
        }
        return new ConnectionPlaces(options.maxWaiting() + options.maxRequests(), descriptors);
    }

    /** Returns how many connections may be open at the same time. */
    public int count() {
        // Connections rest between two requests.
        return (int) Math.min(2L * requests, descriptors.connections());
    }

    /** Returns what to warn of if the system allows fewer connections than requests. */
    public Optional<Finding> shortage() {
        if (count() >= requests) {
            return Optional.empty();
        }
        return Optional.of(Finding.warning(
                "connections",
                "A server takes %s connections at the same time, because the process may have %s open files. max-waiting and max-requests allow %s requests."
                        .formatted(grouped(count()), grouped(descriptors.limit()), grouped(requests)),
                "Raise that limit (`ulimit -n`) to %s, or lower max-waiting or max-requests."
                        .formatted(grouped(descriptors.limitFor(requests)))));
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
