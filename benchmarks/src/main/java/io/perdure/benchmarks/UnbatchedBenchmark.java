package io.perdure.benchmarks;

import io.perdure.benchmarks.Stopwatch.Measured;
import io.perdure.benchmarks.Stopwatch.Turn;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;

/** The same work on the same tables, as a job table made by hand does it: one transaction for each send and each ack. */
final class UnbatchedBenchmark {
    private static final int[] POOL_SIZES = {1, 2, 4, 8};
    private static final int CALLERS = 32;
    private static final int RECEIVERS = 8;
    private static final int BATCH = 100;
    private static final int IN_FLIGHT = 5_000;

    private final WorkFolder folder;
    private final Duration warmUp;
    private final Duration span;

    UnbatchedBenchmark(WorkFolder folder, Duration warmUp, Duration span) {
        this.folder = folder;
        this.warmUp = warmUp;
        this.span = span;
    }

    /** The number of connections that processed the most. */
    int bestPoolSize() {
        int best = POOL_SIZES[0];
        double most = 0;
        for (int size : POOL_SIZES) {
            double rate = processed(size).perSecond();
            if (rate > most) {
                most = rate;
                best = size;
            }
        }
        return best;
    }

    double send(int connections) {
        try (UnbatchedQueue queue = open(connections)) {
            return new Stopwatch(warmUp, span).perSecond(callers(CALLERS, queue::send), List.of());
        }
    }

    Measured processed(int connections) {
        try (UnbatchedQueue queue = open(connections)) {
            Semaphore room = new Semaphore(IN_FLIGHT);
            Turn send = () -> {
                room.acquire();
                return queue.send();
            };
            Turn receive = () -> {
                int handled = 0;
                for (byte[] message : queue.receive(BATCH)) {
                    queue.ack(message);
                    handled++;
                }
                room.release(handled);
                return handled;
            };
            return new Stopwatch(warmUp, span)
                    .measure(callers(RECEIVERS, receive), callers(CALLERS, send), queue::effort);
        }
    }

    private UnbatchedQueue open(int connections) {
        folder.clear();
        return UnbatchedQueue.open("jdbc:sqlite:" + folder.newFile(), connections);
    }

    private static List<Turn> callers(int count, Turn turn) {
        return Collections.nCopies(count, turn);
    }
}
