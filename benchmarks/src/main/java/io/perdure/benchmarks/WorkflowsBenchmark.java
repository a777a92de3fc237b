package io.perdure.benchmarks;

import io.perdure.benchmarks.Figure.Unit;
import io.perdure.benchmarks.LoneRuns.StepTimes;
import io.perdure.benchmarks.Stopwatch.Measured;
import io.perdure.core.store.Effort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The workload of workflows: runs all at once, runs that are waited for, runs that wait, long runs, sleeping runs. */
final class WorkflowsBenchmark {
    private static final int CALLERS = 128;
    private static final Comparator<Measured> BY_RATE = Comparator.comparingDouble(Measured::perSecond);

    private final Target target;
    private final Pace pace;
    private final Workload workload;
    private final Goals goals;
    private final Consumer<String> progress;

    WorkflowsBenchmark(Target target, Pace pace, Workload workload, Consumer<String> progress) {
        this.target = target;
        this.pace = pace;
        this.workload = workload;
        this.goals = Goals.of(target, workload.steps());
        this.progress = progress;
    }

    FiguresReport run() {
        progress.accept(runs() + ", all started at once, in turns with the same counted in a meter registry ...");
        List<Measured> plain = new ArrayList<>();
        List<Measured> counted = new ArrayList<>();
        // What comes first is compiled meanwhile: one after the other, the second would have been faster for that.
        for (int round = 0; round < pace.runs(); round++) {
            plain.add(atOnce());
            counted.add(watched());
        }
        Measured atOnce = median(plain, BY_RATE);
        Measured watched = median(counted, BY_RATE);
        progress.accept("the same as a StepFlow ...");
        Measured flows = medianRate(this::flows);
        progress.accept("the same by " + CALLERS + " callers that wait for each ...");
        Measured callers = medianRate(this::callers);
        progress.accept("the same, one transaction for each commit ...");
        int lanes = bestLanes();
        Measured unbatched = medianRate(() -> unbatched(lanes));
        List<Figure> figures = new ArrayList<>();
        figures.add(rate("runs_per_s", runs() + ", all at once", atOnce).aimingAt(goals.atOnce()));
        figures.add(rate("watched_runs_per_s", "the same, counted in a meter registry", watched));
        figures.add(rate("flow_runs_per_s", "the same as a StepFlow, all at once", flows));
        figures.add(rate("runs_per_s_128_callers", "the same, " + CALLERS + " callers", callers)
                .aimingAt(goals.callers()));
        figures.add(rate("unbatched_runs_per_s", "the same, a transaction for each commit", unbatched));
        figures.addAll(oneByOne());
        figures.addAll(signals());
        figures.addAll(steps());
        figures.addAll(sleepers());
        figures.add(Figure.of("rows_per_run", "rows per run, all at once", Unit.NUMBER, atOnce.rowsEach()));
        figures.add(Figure.of("flushes_per_run", "flushes per run, all at once", Unit.NUMBER, atOnce.flushesEach()));
        figures.add(Figure.of("rows_per_run_128_callers", "rows per run, callers", Unit.NUMBER, callers.rowsEach()));
        figures.add(Figure.of(
                "flushes_per_run_128_callers", "flushes per run, callers", Unit.NUMBER, callers.flushesEach()));
        figures.add(Figure.of(
                "unbatched_flushes_per_run",
                "flushes per run, a transaction for each commit",
                Unit.NUMBER,
                unbatched.flushesEach()));
        figures.add(
                Figure.of("concurrency", "runs worked on at once, all at once", Unit.COUNT, workload.concurrency()));
        figures.add(Figure.of("unbatched_lanes", "commits under way at once there", Unit.COUNT, lanes));
        String remark = String.format(
                Locale.ROOT,
                "%.1f times as many runs by the callers as with a transaction for each commit. "
                        + "Counted in a meter registry it is %.2f of the runs all at once.",
                callers.perSecond() / unbatched.perSecond(),
                watched.perSecond() / atOnce.perSecond());
        return new FiguresReport(Machine.describe(target), figures, remark);
    }

    /**
     * Only the runs all at once, in an empty store and in one that has so many finished runs already. The empty ones come before
     * it and, of several rounds, after it: a machine that is shared is not equally fast all the time.
     */
    FiguresReport run(long finished) {
        int before = (pace.runs() + 1) / 2;
        progress.accept(runs() + ", all started at once in an empty store ...");
        List<Measured> inEmpty = new ArrayList<>(rounds(this::atOnce, before));
        String store = target.fresh();
        progress.accept(String.format(Locale.ROOT, "%,d runs to fill a store ...", finished));
        try (WorkflowEngine engine = WorkflowEngine.open(store, workload.concurrency(), Steps.WORKFLOW)) {
            new Flood(engine, workload.steps()).pour(finished);
        }
        target.rest();
        progress.accept(runs() + ", all started at once in that store ...");
        Measured full = medianRate(() -> flood(store));
        if (pace.runs() > before) {
            progress.accept("and again in an empty store ...");
            inEmpty.addAll(rounds(this::atOnce, pace.runs() - before));
        }
        Measured empty = median(inEmpty, BY_RATE);
        List<Figure> figures = List.of(
                Figure.of("finished_runs", "finished runs that were there before", Unit.COUNT, (double) finished),
                rate("runs_per_s", runs() + ", all at once", full).aimingAt(goals.atOnce()),
                rate("empty_runs_per_s", "the same in an empty store", empty).aimingAt(goals.atOnce()));
        String remark = String.format(
                Locale.ROOT, "%.2f times the runs of an empty store.", full.perSecond() / empty.perSecond());
        return new FiguresReport(Machine.describe(target), figures, remark);
    }

    private String runs() {
        return "runs of " + workload.steps() + (workload.steps() == 1 ? " step" : " steps");
    }

    private static Figure rate(String key, String what, Measured measured) {
        return Figure.of(key, what, Unit.PER_SECOND, measured.perSecond());
    }

    private Measured medianRate(Supplier<Measured> run) {
        return medianOf(run, BY_RATE);
    }

    /** The run that is the median; its other figures belong to it. */
    private <T> T medianOf(Supplier<T> run, Comparator<T> order) {
        return median(rounds(run, pace.runs()), order);
    }

    private static <T> List<T> rounds(Supplier<T> run, int count) {
        return Stream.generate(run).limit(count).toList();
    }

    private static <T> T median(List<T> rounds, Comparator<T> order) {
        return rounds.stream().sorted(order).skip(rounds.size() / 2).findFirst().orElseThrow();
    }

    private Measured atOnce() {
        String store = target.fresh();
        Effort before = target.effort();
        return target.settled(flood(store), before);
    }

    private Measured flood(String store) {
        try (WorkflowEngine engine = WorkflowEngine.open(store, workload.concurrency(), Steps.WORKFLOW)) {
            return new Flood(engine, workload.steps()).measure(pace);
        }
    }

    private Measured watched() {
        String store = target.fresh();
        Effort before = target.effort();
        Measured measured;
        try (WorkflowEngine engine = WorkflowEngine.watched(store, workload.concurrency(), Steps.WORKFLOW)) {
            measured = new Flood(engine, workload.steps()).measure(pace);
        }
        return target.settled(measured, before);
    }

    private Measured flows() {
        String store = target.fresh();
        Effort before = target.effort();
        Measured measured;
        try (WorkflowEngine engine = WorkflowEngine.open(store, workload.concurrency(), Steps.FLOW)) {
            measured = new Flood(engine, Steps.FLOW.name(), () -> engine.start(Steps.FLOW, workload.steps()))
                    .measure(pace);
        }
        return target.settled(measured, before);
    }

    private Measured callers() {
        String store = target.fresh();
        Effort before = target.effort();
        Measured measured;
        try (WorkflowEngine engine = WorkflowEngine.open(store, Steps.WORKFLOW)) {
            measured = callers(engine);
        }
        return target.settled(measured, before);
    }

    private Measured unbatched(int lanes) {
        String store = target.fresh(lanes);
        Effort before = target.effort();
        Measured measured;
        try (WorkflowEngine engine = WorkflowEngine.unbatched(store, lanes, Steps.WORKFLOW)) {
            measured = callers(engine);
        }
        return target.settled(measured, before);
    }

    /** The effort is that of all runs from start to end: of those that the span cuts through it would have a part. */
    private Measured callers(WorkflowEngine engine) {
        Stopwatch.Turn turn = () -> Steps.startAndWait(engine, workload.steps());
        Effort before = engine.effort();
        Measured measured =
                new Stopwatch(pace).measure(Collections.nCopies(CALLERS, turn), List.of(), () -> new Effort(0, 0));
        return measured.over(engine.effort().since(before));
    }

    /** The number of lanes that did best, each commit in a transaction of its own. */
    private int bestLanes() {
        List<Integer> choices = target.loneLanes();
        if (choices.size() == 1) {
            return choices.getFirst();
        }
        return choices.stream()
                .max(Comparator.comparingDouble(lanes -> unbatched(lanes).perSecond()))
                .orElseThrow();
    }

    private List<Figure> oneByOne() {
        progress.accept("idle, one run at a time ...");
        Spread idle = medianOf(this::startToResult, Comparator.comparingDouble(Spread::p50));
        return List.of(
                Figure.of("start_to_result_p50_ms", "idle, start to result, p50", Unit.MILLIS, idle.p50())
                        .aimingAt(goals.startToResult()),
                Figure.of("start_to_result_p99_ms", "idle, start to result, p99", Unit.MILLIS, idle.p99()));
    }

    private Spread startToResult() {
        String store = target.fresh();
        target.rest();
        try (WorkflowEngine engine = WorkflowEngine.open(store, Steps.WORKFLOW)) {
            return new LoneRuns(engine).startToResult(pace, workload.idleRuns());
        }
    }

    private List<Figure> signals() {
        progress.accept("idle, one signal at a time ...");
        Spread idle = medianOf(this::signalToFinish, Comparator.comparingDouble(Spread::p50));
        return List.of(
                Figure.of("signal_p50_ms", "idle, signal to finish, p50", Unit.MILLIS, idle.p50())
                        .aimingAt(goals.signalToFinish()),
                Figure.of("signal_p99_ms", "idle, signal to finish, p99", Unit.MILLIS, idle.p99()));
    }

    private Spread signalToFinish() {
        String store = target.fresh();
        target.rest();
        try (WorkflowEngine engine = WorkflowEngine.open(store, LoneSignals.WORKFLOW)) {
            return new LoneSignals(engine).signalToFinish(pace, workload.idleRuns());
        }
    }

    private List<Figure> steps() {
        progress.accept("long runs, one at a time ...");
        StepTimes times = medianOf(this::stepTimes, Comparator.comparingDouble(StepTimes::longer));
        return List.of(
                perStep(workload.shortRun(), times.shorter()),
                perStep(workload.longRun(), times.longer()),
                Figure.of("step_growth", "the second beside the first", Unit.NUMBER, times.growth())
                        .aimingAt(Goals.GROWTH));
    }

    private static Figure perStep(int steps, double millis) {
        String what = String.format(Locale.ROOT, "each step of one run of %,d", steps);
        return Figure.of("ms_per_step_" + steps, what, Unit.MILLIS, millis).aimingAt(Goals.STEP);
    }

    private StepTimes stepTimes() {
        String store = target.fresh();
        target.rest();
        try (WorkflowEngine engine = WorkflowEngine.open(store, Steps.WORKFLOW)) {
            return new LoneRuns(engine).steps(pace, workload.shortRun(), workload.longRun());
        }
    }

    private List<Figure> sleepers() {
        Spread spread = late(workload.sleepers(), workload.sleepersOver());
        Spread burst = late(workload.burst(), Duration.ZERO);
        String one = String.format(
                Locale.ROOT,
                "%,d sleepers due over %d s, late, ",
                workload.sleepers(),
                workload.sleepersOver().toSeconds());
        String other = String.format(Locale.ROOT, "%,d sleepers due at once, late, p99", workload.burst());
        return List.of(
                Figure.of("sleeper_late_p50_ms", one + "p50", Unit.MILLIS, spread.p50()),
                Figure.of("sleeper_late_p99_ms", one + "p99", Unit.MILLIS, spread.p99())
                        .aimingAt(Goals.SLEEPERS),
                Figure.of("sleeper_burst_p99_ms", other, Unit.MILLIS, burst.p99()));
    }

    private Spread late(int count, Duration over) {
        progress.accept(String.format(Locale.ROOT, "%,d sleepers ...", count));
        return medianOf(
                () -> Sleepers.measure(target.fresh(), count, over, pace), Comparator.comparingDouble(Spread::p99));
    }
}
