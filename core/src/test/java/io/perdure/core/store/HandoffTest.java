package io.perdure.core.store;

import io.perdure.core.store.QueueCommit.Purge;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.util.LoggingLevel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Lincheck tries the interleavings of callers and lane one by one: what is handed over is taken once, in order, or refused. Its
 * parked threads may wake by themselves, as real ones may, so a wake-up that was forgotten shows only in the other tests of the
 * ledger, which would hang.
 */
@Tag("exhaustive")
class HandoffTest {
    private static final QueueName QUEUE = new QueueName("orders");
    /** Static: Lincheck takes what only lambdas hold for one thread's own, and would not switch threads at it. */
    private static Handoff handoff = new Handoff();
    /** Made before: Lincheck would follow every call that makes one. */
    private static final List<Purge> COMMITS = IntStream.range(1, 10)
            .mapToObj(value -> new Purge(TenantId.DEFAULT, QUEUE, value))
            .toList();

    @Test
    void itBehavesAsAQueueThatIsTakenWhole() {
        new ModelCheckingOptions()
                .iterations(10)
                .invocationsPerIteration(200)
                .threads(3)
                .actorsPerThread(2)
                .logLevel(LoggingLevel.ERROR)
                .sequentialSpecification(PlainQueue.class)
                .check(Concurrent.class);
    }

    @Test
    void aLaneThatRestsMissesNobodyWhoComes() {
        Lincheck.runConcurrentTest(500, () -> {
            handoff = new Handoff();
            List<Integer> taken = new ArrayList<>();
            Thread lane = new Thread(() -> {
                while (taken.size() < 2) {
                    taken.addAll(values(handoff.take()));
                    if (taken.size() < 2) {
                        handoff.await();
                    }
                }
            });
            Thread caller = new Thread(() -> handoff.push(pending(1)));
            lane.start();
            caller.start();
            handoff.push(pending(2));
            join(caller);
            join(lane);
            require(taken.size() == 2 && taken.contains(1) && taken.contains(2));
        });
    }

    @Test
    void whatIsHandedOverWhileItClosesIsTakenOrRefused() {
        Lincheck.runConcurrentTest(500, () -> {
            handoff = new Handoff();
            List<Integer> taken = new ArrayList<>();
            Thread lane = new Thread(() -> {
                do {
                    taken.addAll(values(handoff.take()));
                } while (handoff.await());
            });
            lane.start();
            handoff.close();
            boolean accepted = handoff.push(pending(1));
            join(lane);
            require(taken.equals(accepted ? List.of(1) : List.of()));
        });
    }

    /** The handoff as Lincheck drives it: any thread pushes, one at a time does what only the lane does. */
    public static class Concurrent {
        private final Handoff handoff = new Handoff();
        private boolean ended;

        @Operation
        public boolean push(@Param(gen = IntGen.class, conf = "1:9") int value) {
            return handoff.push(pending(value));
        }

        @Operation(nonParallelGroup = "lane")
        public List<Integer> take() {
            return ended ? List.of() : values(handoff.take());
        }

        /** What a lane does that finds nothing and is to end. */
        @Operation(nonParallelGroup = "lane")
        public boolean finish() {
            boolean ends = handoff.rest() && handoff.end();
            ended |= ends;
            return ends;
        }
    }

    /** What it must look like from outside. */
    public static class PlainQueue {
        private final Deque<Integer> waiting = new ArrayDeque<>();
        private boolean ended;

        public boolean push(int value) {
            return !ended && waiting.add(value);
        }

        public List<Integer> take() {
            List<Integer> all = List.copyOf(waiting);
            waiting.clear();
            return all;
        }

        public boolean finish() {
            boolean ends = waiting.isEmpty() && !ended;
            ended |= ends;
            return ends;
        }
    }

    private static Pending pending(int value) {
        return new Pending(COMMITS.get(value - 1), 1, 0, null);
    }

    private static List<Integer> values(@Nullable Pending oldest) {
        List<Integer> values = new ArrayList<>();
        for (Pending next = oldest; next != null; next = next.below) {
            values.add(((Purge) next.commit()).limit());
        }
        return values;
    }

    /** Plain, because Lincheck compares assertion objects by an equals that AssertJ forbids. */
    private static void require(boolean holds) {
        if (!holds) {
            throw new AssertionError("a commit was lost, doubled or taken although refused");
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
