package io.perdure.benchmarks;

import io.perdure.benchmarks.Figure.Unit;
import io.perdure.benchmarks.Stopwatch.Measured;
import io.perdure.sdk.id.WorkflowName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * What it costs those who work that very many ended runs go, all at once: the same flood of runs in one store, in turns with nothing to
 * remove and while the sweep is under way, which begins as soon as the engine is open and goes on after the span.
 */
final class RetentionBenchmark {
    private static final WorkflowName KEPT = Steps.KEPT.name();
    private static final Duration NEVER = Duration.ofDays(1);
    private static final Duration AT_ONCE = Duration.ofMillis(1);

    private final Target target;
    private final Pace pace;
    private final Workload workload;
    private final Consumer<String> progress;

    RetentionBenchmark(Target target, Pace pace, Workload workload, Consumer<String> progress) {
        this.target = target;
        this.pace = pace;
        this.workload = workload;
        this.progress = progress;
    }

    /** A flood, and what was removed meanwhile. */
    private record Round(Measured measured, long removed, long left, double seconds) {
        double removedPerSecond() {
            return removed / seconds;
        }
    }

    FiguresReport run(long ended) {
        String store = target.fresh();
        progress.accept(String.format(Locale.ROOT, "%,d runs to fill a store ...", ended));
        try (WorkflowEngine engine = open(store, NEVER)) {
            new Flood(engine, KEPT, () -> engine.start(Steps.KEPT, workload.steps())).pour(ended);
        }
        target.retire(store, KEPT);
        target.rest();
        List<Round> quiet = new ArrayList<>();
        List<Round> sweeping = new ArrayList<>();
        for (int round = 0; round < pace.runs(); round++) {
            progress.accept("with nothing to remove ...");
            quiet.add(flood(store, NEVER));
            progress.accept("while ended runs go ...");
            Round swept = flood(store, AT_ONCE);
            if (swept.left() == 0) {
                throw new IllegalStateException("All ended runs were gone before the span was over; fill in more.");
            }
            sweeping.add(swept);
        }
        return report(ended, median(quiet), median(sweeping));
    }

    private WorkflowEngine open(String store, Duration retireEvery) {
        return WorkflowEngine.open(store, workload.concurrency(), retireEvery, Steps.WORKFLOW, Steps.KEPT);
    }

    private Round flood(String store, Duration retireEvery) {
        try (WorkflowEngine engine = open(store, retireEvery)) {
            long before = engine.completed(KEPT);
            long from = engine.environment().nanoTime();
            Measured measured = new Flood(engine, workload.steps()).measure(pace);
            long after = engine.completed(KEPT);
            return new Round(
                    measured, before - after, after, (engine.environment().nanoTime() - from) / 1e9);
        }
    }

    private static Round median(List<Round> rounds) {
        return rounds.stream()
                .sorted(Comparator.comparingDouble(round -> round.measured().perSecond()))
                .skip(rounds.size() / 2)
                .findFirst()
                .orElseThrow();
    }

    private FiguresReport report(long ended, Round quiet, Round sweeping) {
        double share = sweeping.measured().perSecond() / quiet.measured().perSecond();
        List<Figure> figures = List.of(
                Figure.of("ended_runs", "ended runs whose time was over", Unit.COUNT, (double) ended),
                Figure.of(
                        "runs_per_s",
                        "runs, all at once",
                        Unit.PER_SECOND,
                        quiet.measured().perSecond()),
                Figure.of(
                        "runs_per_s_sweeping",
                        "the same while ended runs go",
                        Unit.PER_SECOND,
                        sweeping.measured().perSecond()),
                Figure.of(
                        "removed_per_s", "ended runs that go meanwhile", Unit.PER_SECOND, sweeping.removedPerSecond()),
                Figure.of("share", "the second beside the first", Unit.NUMBER, share)
                        .aimingAt(Goals.SWEEPING));
        String remark = String.format(Locale.ROOT, "The sweep costs %.0f %% of the runs.", (1 - share) * 100);
        return new FiguresReport(Machine.describe(target), figures, remark);
    }
}
