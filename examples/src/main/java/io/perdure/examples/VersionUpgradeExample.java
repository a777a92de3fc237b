package io.perdure.examples;

import io.perdure.core.Perdure;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Fit;
import io.perdure.sdk.run.Following;
import io.perdure.sdk.run.LiveWorker;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.worker.Claim;
import io.perdure.sdk.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A workflow changes while runs of it sleep and wait. The new code is a version of its own, beside the old one: runs go on with theirs, new
 * ones take the new one, and a run whose history fits is moved.
 */
final class VersionUpgradeExample {
    static final String TOO_LATE = "The trials ended before the deploy.";

    private static final Duration A_MINUTE = Duration.ofMinutes(1);

    private final List<String> told = new ArrayList<>();

    // region one
    private final Workflow<Trial, String> one = Workflow.named("trial").run(Trial.class, String.class, (ctx, trial) -> {
        ctx.step("open-account", () -> openAccount(trial));
        ctx.sleep("trial-period", Duration.ofSeconds(trial.seconds()));
        int price = ctx.step("bill", Integer.class, () -> 10);
        ctx.waitForEvent("paid", String.class);
        return trial.customer() + " paid " + price;
    });
    // endregion

    // region two
    private final Workflow<Trial, String> two = Workflow.named("trial")
            .version(2)
            .run(Trial.class, String.class, (ctx, trial) -> {
                ctx.step("open-account", () -> openAccount(trial));
                ctx.sleep("trial-period", Duration.ofSeconds(trial.seconds()));
                ctx.step("remind", () -> remind(trial)); // new
                int price = ctx.step("bill", Integer.class, () -> 12);
                ctx.waitForEvent("paid", String.class);
                return trial.customer() + " paid " + price;
            });
    // endregion

    private VersionUpgradeExample() {}

    record Trial(String customer, int seconds) {}

    /** The runs that were begun before the deploy. */
    private record Begun(RunId ann, RunId bob, RunId cid) {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("perdure");
        tellAll("jdbc:sqlite:" + folder.resolve("app.db"), 3).forEach(System.out::println);
    }

    /** Upgrades a workflow in the store of this URL; tells what became of its runs, or that the trials ended before the deploy. */
    static List<String> tellAll(String url, int trialSeconds) {
        VersionUpgradeExample example = new VersionUpgradeExample();
        Begun begun = example.beforeTheDeploy(url, trialSeconds);
        if (isBilled(url, begun.ann()) || isBilled(url, begun.bob())) {
            return List.of(TOO_LATE);
        }
        example.afterTheDeploy(url, begun);
        return example.told;
    }

    private static boolean isBilled(String url, RunId run) {
        try (Perdure perdure = Perdure.open(url)) {
            return perdure.run(run).history().stream()
                    .anyMatch(recorded -> recorded.event() instanceof Event.StepCompleted completed
                            && completed.step().value().equals("bill"));
        }
    }

    /** Two runs that sleep, and one that is past its sleep and waits. */
    private Begun beforeTheDeploy(String url, int trialSeconds) {
        try (Perdure perdure = Perdure.open(url).register(one).start()) {
            Run<String> ann = perdure.start(one, new Trial("ann", trialSeconds));
            Run<String> bob = perdure.start(one, new Trial("bob", trialSeconds));
            Run<String> cid = perdure.start(one, new Trial("cid", 0));
            await(ann, Event.SleepStarted.class);
            await(bob, Event.SleepStarted.class);
            await(cid, Event.WaitStarted.class);
            return new Begun(ann.id(), bob.id(), cid.id());
        }
    }

    private void afterTheDeploy(String url, Begun begun) {
        // region side-by-side
        try (Perdure perdure = Perdure.open(url).register(one).register(two)) { // both: older runs go on
            tell(perdure.count(RunFilter.all().waitingForWorker()) + " wait for a worker"); // nobody works yet
            move(perdure, begun.bob());
            move(perdure, begun.cid());

            perdure.start();
            tellWorkers(perdure);
            tell(paid(perdure, begun.ann()));
            tell(paid(perdure, begun.bob()));
            tell(paid(perdure, begun.cid()));

            Json trial = Json.of("{\"customer\": \"dan\", \"seconds\": 0}");
            Run<Json> dan = perdure.start("trial", trial, StartOptions.defaults()); // the newest that a worker serves
            tell(paid(perdure, dan.id()));
        }
        // endregion
    }

    // region move
    private void move(Perdure perdure, RunId run) {
        Fit fit = perdure.operations().check(run, 2); // replays the history; runs no step, changes nothing
        tell("fits: " + fit.fits());
        try {
            perdure.operations().move(run, 2, "with a reminder"); // checks by itself, too
            tell("moved");
        } catch (RefusedException e) {
            tell(e.code().code() + ": " + fit.detail());
        }
    }
    // endregion

    private void tellWorkers(Perdure perdure) {
        // region workers
        for (LiveWorker worker : perdure.operations().workers()) { // of all processes
            for (Claim.Served served : worker.served()) {
                tell("served: " + served.workflow() + " " + served.versions());
            }
        }
        // endregion
    }

    private String paid(Perdure perdure, RunId id) {
        perdure.signal(id, "paid", "by card"); // kept until the run waits for it
        Run<String> run = perdure.run(one, id);
        return run.result(A_MINUTE) + ", version " + run.info().version();
    }

    /** Returns when such an event is in a run's history. */
    private static void await(Run<?> run, Class<? extends Event> kind) {
        try (Following following = run.follow()) {
            List<Recorded> came;
            do {
                came = following.next(A_MINUTE);
                if (came.isEmpty()) {
                    throw new IllegalStateException("nothing happens to " + run);
                }
            } while (came.stream().noneMatch(recorded -> kind.isInstance(recorded.event())));
        }
    }

    private static String openAccount(Trial trial) {
        return "account of " + trial.customer();
    }

    private static String remind(Trial trial) {
        return "mail to " + trial.customer();
    }

    private void tell(String what) {
        told.add(what);
    }
}
