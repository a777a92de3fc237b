package io.perdure.benchmarks;

import io.perdure.core.Perdure;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.RunCount;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowContext;
import java.time.Duration;
import java.util.Collections;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Runs as a store has them that was in use for long: nearly all completed, some failed, a few cancelled or parked, and some that go on.
 * They are of two workflows, and one in ten has a tag.
 */
record ManyRuns(long completed, long failed, long parked, long cancelled, long running) {
    /** The tag, and what many and few runs have it be. */
    static final String REGION = "region";

    static final String MANY = "eu";
    static final String FEW = "is";

    static final Workflow<Order, String> ORDER =
            Workflow.named("list_order").run(Order.class, String.class, ManyRuns::end);
    private static final Workflow<Order, String> INVOICE =
            Workflow.named("list_invoice").run(Order.class, String.class, ManyRuns::end);

    private static final int STARTERS = 2_000;
    private static final int TAGGED = 10;
    private static final int FEWEST = 10_000;
    private static final Duration LOOK_EVERY = Duration.ofMillis(50);

    /** What becomes of a run. */
    enum End {
        COMPLETED,
        FAILED,
        PARKED
    }

    /** The input of a run. */
    record Order(long customer, End end) {}

    /** So many altogether. */
    static ManyRuns of(long all) {
        long some = Math.ceilDiv(all, 200);
        long few = Math.ceilDiv(all, 10_000);
        return new ManyRuns(Math.max(0, all - 2 * some - 2 * few), some, few, few, some);
    }

    private static String end(WorkflowContext ctx, Order order) {
        return switch (order.end()) {
            case COMPLETED -> "done";
            case FAILED -> throw new IllegalStateException("as it was told to");
            // Outside of a step there is none: a mistake in the code, which parks its run.
            case PARKED -> ctx.attempt().toString();
        };
    }

    void fill(String store) {
        try (Perdure perdure =
                Perdure.open(store).register(ORDER).register(INVOICE).start()) {
            each(completed, number -> start(perdure, number, End.COMPLETED));
            each(failed, number -> start(perdure, number, End.FAILED));
            each(parked, number -> start(perdure, number, End.PARKED));
            awaitEnd(perdure);
        }
        // Nobody works on these.
        try (Perdure perdure = Perdure.open(store)) {
            each(running, number -> start(perdure, number, End.COMPLETED));
            each(
                    cancelled,
                    number ->
                            perdure.cancel(start(perdure, number, End.COMPLETED).id(), "not wanted"));
        }
    }

    private static Run<String> start(Perdure perdure, long number, End end) {
        StartOptions options = StartOptions.defaults();
        if (number % TAGGED == 0) {
            options = options.tag(REGION, number % FEWEST == 0 ? FEW : MANY);
        }
        return perdure.start(number % 2 == 0 ? ORDER : INVOICE, new Order(number, end), options);
    }

    private static void each(long count, LongConsumer start) {
        AtomicLong next = new AtomicLong();
        Stopwatch.exhaust(Collections.nCopies((int) Math.min(STARTERS, Math.max(1, count)), () -> {
            long number = next.getAndIncrement();
            if (number >= count) {
                return 0;
            }
            start.accept(number);
            return 1;
        }));
    }

    private static void awaitEnd(Perdure perdure) {
        Environment environment = new SystemEnvironment();
        try {
            while (perdure.runCounts().stream().anyMatch(ManyRuns::isUnderWay)) {
                environment.sleep(LOOK_EVERY);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The benchmark was interrupted.", e);
        }
    }

    private static boolean isUnderWay(RunCount count) {
        return count.status() == RunStatus.RUNNING && count.count() > 0;
    }

    String text() {
        return String.format(
                Locale.ROOT,
                "%,d completed, %,d failed, %,d parked, %,d cancelled, %,d running",
                completed,
                failed,
                parked,
                cancelled,
                running);
    }
}
