package io.perdure.benchmarks;

import io.perdure.benchmarks.Figure.Unit;
import io.perdure.core.Perdure;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.RunFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** How soon the first page of a list is there, and the counts are, in a store that has very many runs. */
final class RunListsBenchmark {
    private static final int PAGE = 100;
    private static final int LOOKS = 50;

    private final Environment environment = new SystemEnvironment();
    private final Target target;
    private final long runs;
    private final Consumer<String> progress;
    private final List<Figure> figures = new ArrayList<>();

    RunListsBenchmark(Target target, long runs, Consumer<String> progress) {
        this.target = target;
        this.runs = runs;
        this.progress = progress;
    }

    FiguresReport run() {
        String store = target.fresh();
        progress.accept(String.format(Locale.ROOT, "%,d runs to fill a store ...", runs));
        ManyRuns many = ManyRuns.of(runs);
        many.fill(store);
        target.rest();
        progress.accept("lists of them ...");
        try (Perdure perdure = Perdure.open(store)) {
            measure(perdure);
        }
        return new FiguresReport(
                Machine.describe(target),
                figures,
                String.format(
                        Locale.ROOT, "The first %d, median of %d looks. In the store: %s.", PAGE, LOOKS, many.text()));
    }

    private void measure(Perdure perdure) {
        RunFilter all = RunFilter.all();
        RunFilter orders = all.workflow(ManyRuns.ORDER.name().value());
        RunFilter many = all.tag(ManyRuns.REGION, ManyRuns.MANY);
        list(perdure, "all", "all", all);
        list(perdure, "workflow", "of one workflow", orders);
        list(perdure, "running", "running", all.status(RunStatus.RUNNING));
        list(perdure, "running_workflow", "running, of one workflow", orders.status(RunStatus.RUNNING));
        list(perdure, "parked", "parked", all.status(RunStatus.PARKED));
        list(perdure, "completed", "completed", all.status(RunStatus.COMPLETED));
        list(perdure, "completed_workflow", "completed, of one workflow", orders.status(RunStatus.COMPLETED));
        list(perdure, "failed", "failed", all.status(RunStatus.FAILED));
        list(perdure, "cancelled", "cancelled", all.status(RunStatus.CANCELLED));
        list(perdure, "tag_many", "a tag that many have", many);
        list(perdure, "tag_few", "a tag that few have", all.tag(ManyRuns.REGION, ManyRuns.FEW));
        list(perdure, "tag_none", "a tag that none has", all.tag(ManyRuns.REGION, "nowhere"));
        list(perdure, "tag_failed", "a tag that many have, failed only", many.status(RunStatus.FAILED));
        list(perdure, "input", "a field of the input that none has", orders.inputField("customer", Json.of("-1")));
        time("counts", "counts by workflow and status", perdure::runCounts);
    }

    private void list(Perdure perdure, String key, String what, RunFilter filter) {
        time(key, what, () -> perdure.runs(filter, PAGE));
    }

    private void time(String key, String what, Runnable look) {
        List<Long> nanos = new ArrayList<>();
        for (int number = 0; number < 2 * LOOKS; number++) {
            long from = environment.nanoTime();
            look.run();
            if (number >= LOOKS) {
                nanos.add(environment.nanoTime() - from);
            }
        }
        figures.add(
                Figure.of(key + "_p50_ms", what, Unit.MILLIS, Spread.of(nanos).p50()));
    }
}
