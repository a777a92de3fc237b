package io.perdure.benchmarks;

import io.perdure.benchmarks.Stopwatch.Measured;
import io.perdure.core.store.Effort;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Workflow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What each operation costs the store, in rows, flushes and bytes: so many of them by many callers, who share flushes, divided by
 * their number. Every kind has a fresh store, on which something is done before it counts: a cold engine shares flushes otherwise.
 */
final class CostsBenchmark {
    /** Callers that each start a run and wait for its result. */
    private static final int CALLERS = 128;

    /** More where each has to wait for a sleep besides, and few enough that all of them are handed over to the worker. */
    private static final int SLEEPERS = 500;

    private static final int SIGNALLERS = 500;
    private static final int FURTHER_STEPS = 10;

    private final Target target;
    private final int operations;
    private final Consumer<String> progress;

    CostsBenchmark(Target target, int operations, Consumer<String> progress) {
        this.target = target;
        this.operations = operations;
        this.progress = progress;
    }

    /** So many operations on a store; answers what the engine saw the store do for them. */
    private interface Work {
        Effort on(String store, int operations);
    }

    FiguresReport run() {
        Cost send = cost("send, " + Trips.SENDERS + " callers", CostsBenchmark::send);
        Cost processed = cost("send, receive and ack", CostsBenchmark::trips);
        Cost run = cost("runs of 1 step, " + CALLERS + " callers", runs(Steps.WORKFLOW, 1, CALLERS));
        Cost longer = cost("the same of more steps", runs(Steps.WORKFLOW, 1 + FURTHER_STEPS, CALLERS));
        Cost awake = cost("runs of 1 step, " + SLEEPERS + " callers", runs(Steps.WORKFLOW, 1, SLEEPERS));
        Cost asleep = cost("the same with a sleep", runs(Steps.NAPPING, 1, SLEEPERS));
        Cost signal = signals();
        List<Figure> figures = new ArrayList<>();
        figures.addAll(send.figures("send", "send, " + Trips.SENDERS + " callers"));
        figures.addAll(processed.figures("processed", "send, receive and ack"));
        figures.addAll(run.figures("run", "run of 1 step, " + CALLERS + " callers"));
        figures.addAll(longer.beyond(run).part(FURTHER_STEPS).figures("step", "each further step"));
        figures.addAll(asleep.beyond(awake).figures("sleep", "a sleep, " + SLEEPERS + " callers"));
        figures.addAll(signal.figures("signal", "signal, " + SIGNALLERS + " callers"));
        String remark = String.format(
                Locale.ROOT,
                "%,d operations each. A flush is shared by %,.0f sends, and by %,.0f runs of 1 step.",
                operations,
                1 / send.flushes(),
                1 / run.flushes());
        return new FiguresReport(Machine.describe(target), figures, remark);
    }

    private Cost cost(String what, Work work) {
        progress.accept(what + " ...");
        String store = target.fresh();
        work.on(store, Math.ceilDiv(operations, 10));
        return cost(store, found -> work.on(found, operations));
    }

    /** With the engine's opening and its close: only then a file has what its log had before. */
    private Cost cost(String store, Function<String, Effort> work) {
        Effort before = target.effort();
        OptionalLong from = target.bytesWritten();
        Effort seen = work.apply(store);
        OptionalLong to = target.bytesWritten();
        Measured all = target.settled(new Measured(0, operations, seen, operations), before);
        OptionalLong bytes = from.isPresent() && to.isPresent()
                ? OptionalLong.of(to.getAsLong() - from.getAsLong())
                : OptionalLong.empty();
        return Cost.each(operations, all.effort(), bytes);
    }

    private static Effort send(String store, int operations) {
        try (Engine engine = Engine.open(store)) {
            Effort before = engine.effort();
            each(Trips.SENDERS, operations, () -> engine.queue().send(Trips.BODY));
            return engine.effort().since(before);
        }
    }

    private static Effort trips(String store, int operations) {
        try (Engine engine = Engine.open(store)) {
            Effort before = engine.effort();
            new Trips(engine.queue(), operations).carry(operations);
            return engine.effort().since(before);
        }
    }

    private static Work runs(Workflow<Integer, Integer> workflow, int steps, int callers) {
        return (store, operations) -> {
            try (WorkflowEngine engine = WorkflowEngine.open(store, workflow)) {
                Effort before = engine.effort();
                each(callers, operations, () -> Steps.startAndWait(engine, workflow, steps));
                return engine.effort().since(before);
            }
        };
    }

    /** One to each of as many runs, which nobody works on meanwhile. */
    private Cost signals() {
        progress.accept("signals ...");
        String store = target.fresh();
        Queue<Run<?>> waiting = new ConcurrentLinkedQueue<>();
        try (WorkflowEngine engine = WorkflowEngine.idle(store)) {
            each(SIGNALLERS, operations, () -> waiting.add(engine.start(Steps.WORKFLOW, 1)));
        }
        return cost(store, found -> {
            try (WorkflowEngine engine = WorkflowEngine.idle(found)) {
                Effort before = engine.effort();
                each(SIGNALLERS, operations, () -> engine.signal(waiting.remove(), "go", 1));
                return engine.effort().since(before);
            }
        });
    }

    /** Has callers do something so many times together, each one after the other. */
    private static void each(int callers, int times, Runnable operation) {
        AtomicLong left = new AtomicLong(times);
        Stopwatch.exhaust(Collections.nCopies(Math.min(callers, times), () -> {
            if (left.getAndDecrement() <= 0) {
                return 0;
            }
            operation.run();
            return 1;
        }));
    }
}
