package io.perdure.store.postgres;

import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import java.time.Duration;
import java.util.List;

/**
 * Ends a store that is about to be closed. For a given time calls go on as ever. After that none is tried again, and if the
 * server does not answer, connections are cut: otherwise closing would wait for one call after another.
 */
final class Shutdown {
    private static final Duration LOOK = Duration.ofMillis(500);

    /** Longer than any statement may take: whatever is in use for longer waits for a server that does not answer. */
    private static final Duration SILENCE = SessionSettings.STATEMENT.plusSeconds(2);

    /** A longer drain needs no end. */
    private static final Duration LONGEST = Duration.ofDays(1);

    private final Environment environment;
    private final List<Patience> patiences;
    private final List<Connections> connections;
    private final Bell over;

    Shutdown(Environment environment, List<Patience> patiences, List<Connections> connections) {
        this.environment = environment;
        this.patiences = patiences;
        this.connections = connections;
        this.over = environment.bell();
    }

    /** Begins to end the store. */
    void within(Duration time) {
        if (time.compareTo(LONGEST) < 0) {
            patiences.forEach(patience -> patience.endWithin(time));
            environment.startApart("perdure-shutdown", () -> watch(time.toNanos()));
        }
    }

    private void watch(long nanos) {
        try {
            boolean closed = over.await(Duration.ofNanos(nanos));
            while (!closed && connections.stream().noneMatch(each -> each.isStuck(SILENCE))) {
                closed = over.await(LOOK);
            }
            if (!closed) {
                connections.forEach(Connections::close);
            }
        } catch (InterruptedException e) {
            // Nothing of ours interrupts this thread: an interrupt is meant to end it.
            Thread.currentThread().interrupt();
        }
    }

    /** The store is closed, and nothing is left to watch. */
    void close() {
        over.ring();
    }
}
