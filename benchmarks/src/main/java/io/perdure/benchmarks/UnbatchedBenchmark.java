package io.perdure.benchmarks;

import io.perdure.benchmarks.Stopwatch.Measured;
import io.perdure.benchmarks.Stopwatch.Turn;
import io.perdure.core.store.Effort;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;

/** The same work on the same tables, as a job table made by hand does it: one transaction for each send and each ack. */
final class UnbatchedBenchmark {
    private static final int CALLERS = 32;
    private static final int RECEIVERS = 8;
    private static final int IN_FLIGHT = 5_000;

    private final Target target;
    private final Pace pace;

    UnbatchedBenchmark(Target target, Pace pace) {
        this.target = target;
        this.pace = pace;
    }

    /** The number of connections that processed the most. */
    int bestPoolSize() {
        int best = target.poolSizes().getFirst();
        double most = 0;
        for (int size : target.poolSizes()) {
            double rate = processed(size).perSecond();
            if (rate > most) {
                most = rate;
                best = size;
            }
        }
        return best;
    }

    double send(int connections) {
        try (JobTable table = target.jobTable(connections)) {
            return new Stopwatch(pace).perSecond(callers(CALLERS, connections, table::send), List.of());
        }
    }

    Measured processed(int connections) {
        Measured measured;
        Effort before;
        try (JobTable table = target.jobTable(connections)) {
            before = target.effort();
            Semaphore room = new Semaphore(IN_FLIGHT);
            Turn send = () -> {
                room.acquire();
                return table.send();
            };
            Turn trip = () -> {
                int handled = table.trip();
                room.release(handled);
                return handled;
            };
            List<Turn> senders = callers(CALLERS, connections, send);
            List<Turn> receivers = callers(RECEIVERS, connections, trip);
            measured =
                    new Stopwatch(pace, () -> room.release(senders.size())).measure(receivers, senders, table::effort);
            measured = measured.and(Stopwatch.exhaust(receivers));
        }
        return target.settled(measured, before);
    }

    /** Enough of them that no connection is idle. */
    private static List<Turn> callers(int atLeast, int connections, Turn turn) {
        return Collections.nCopies(Math.max(atLeast, connections), turn);
    }
}
