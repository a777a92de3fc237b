package io.perdure.benchmarks;

import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Runs that each sleep once, and how late they go on: the time at which the code goes on less the end of its sleep, both by the
 * store's clock. They all sleep in the store before the first is due, or the round does not count.
 */
final class Sleepers implements AutoCloseable {
    /** So many are expected to be put to sleep in a second; where that was too many they get twice the time. */
    private static final int ASLEEP_PER_SECOND = 2_000;

    /** More than what a worker waits out in memory. */
    private static final Duration LEAST_LEAD = Duration.ofSeconds(1);

    private static final int STARTERS = 500;
    private static final Duration LOOK_EVERY = Duration.ofMillis(5);

    private final Workflow<Integer, Integer> workflow;
    private final WorkflowEngine engine;
    private final Environment environment;
    private volatile @Nullable Round round;

    private Sleepers(String store) {
        workflow = Workflow.named("sleeper").run(Integer.class, Integer.class, this::sleep);
        engine = WorkflowEngine.open(store, workflow);
        environment = engine.environment();
    }

    /** Has so many come due evenly over a span, after smaller bursts as a warm-up. */
    static Spread measure(String store, int count, Duration over, Pace pace) {
        try (Sleepers sleepers = new Sleepers(store)) {
            long end = sleepers.environment.nanoTime() + pace.warmUp().toNanos();
            int few = Math.ceilDiv(count, 10);
            while (sleepers.environment.nanoTime() < end) {
                sleepers.round(few, Duration.ZERO, LEAST_LEAD);
            }
            Duration lead = LEAST_LEAD.plusSeconds(count / ASLEEP_PER_SECOND);
            while (true) {
                Optional<Spread> late = sleepers.round(count, over, lead);
                if (late.isPresent()) {
                    return late.get();
                }
                lead = lead.multipliedBy(2);
            }
        }
    }

    /** Empty where the first was due before the last was asleep. */
    private Optional<Spread> round(int count, Duration over, Duration lead) {
        long expected = engine.completed(workflow.name()) + count;
        Duration ahead = engine.clockAhead();
        Instant first = environment.clock().instant().plus(ahead).plus(lead);
        Round begun = new Round(count, over, first, ahead);
        round = begun;
        AtomicInteger next = new AtomicInteger();
        Stopwatch.exhaust(Collections.nCopies(Math.min(STARTERS, count), () -> {
            int number = next.getAndIncrement();
            if (number >= count) {
                return 0;
            }
            engine.start(workflow, number);
            return 1;
        }));
        boolean inTime = asleepBefore(first, begun);
        engine.awaitCompleted(workflow.name(), expected);
        return inTime ? Optional.of(begun.late()) : Optional.empty();
    }

    /** Whether all of them let go of the worker, each for its sleep, before that time. */
    private boolean asleepBefore(Instant first, Round begun) {
        try {
            while (begun.awake() > 0 || engine.working() > 0) {
                if (!now(begun).isBefore(first)) {
                    return false;
                }
                environment.sleep(LOOK_EVERY);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The benchmark was interrupted.", e);
        }
        return now(begun).isBefore(first);
    }

    private Instant now(Round of) {
        return environment.clock().instant().plus(of.ahead);
    }

    private Integer sleep(WorkflowContext ctx, Integer number) {
        Round mine = Optional.ofNullable(round).orElseThrow();
        mine.enter(number);
        ctx.sleepUntil("nap", mine.due(number));
        mine.goOn(number, now(mine));
        return number;
    }

    @Override
    public void close() {
        engine.close();
    }

    /** Sleepers that are due together or one after the other. */
    private static final class Round {
        private static final long NOT_YET = Long.MIN_VALUE;

        private final Instant first;
        private final Duration apart;
        private final Duration ahead;
        private final AtomicInteger awake;
        private final AtomicIntegerArray entered;
        private final AtomicLongArray lateNanos;

        Round(int count, Duration over, Instant first, Duration ahead) {
            this.first = first;
            this.apart = over.dividedBy(count);
            this.ahead = ahead;
            this.awake = new AtomicInteger(count);
            this.entered = new AtomicIntegerArray(count);
            this.lateNanos = new AtomicLongArray(count);
            for (int number = 0; number < count; number++) {
                lateNanos.set(number, NOT_YET);
            }
        }

        Instant due(int number) {
            return first.plus(apart.multipliedBy(number));
        }

        /** The code begins, the first time or again. */
        void enter(int number) {
            if (entered.compareAndSet(number, 0, 1)) {
                awake.decrementAndGet();
            }
        }

        /** How many did not begin yet. */
        int awake() {
            return awake.get();
        }

        /** The sleep is over; where the code comes here again, the first time counts. */
        void goOn(int number, Instant now) {
            lateNanos.compareAndSet(
                    number, NOT_YET, Duration.between(due(number), now).toNanos());
        }

        Spread late() {
            List<Long> times = new ArrayList<>();
            for (int number = 0; number < lateNanos.length(); number++) {
                long late = lateNanos.get(number);
                if (late == NOT_YET) {
                    throw new IllegalStateException("Sleeper " + number + " ended without its sleep.");
                }
                times.add(late);
            }
            return Spread.of(times);
        }
    }
}
