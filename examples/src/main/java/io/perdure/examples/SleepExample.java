package io.perdure.examples;

import io.perdure.core.Perdure;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StepInfo;
import io.perdure.sdk.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A run sleeps while nothing runs at all: the engine is closed in the meantime, and opened again. */
final class SleepExample {
    private final Environment environment = new SystemEnvironment();
    private final List<String> told = new CopyOnWriteArrayList<>();

    // region workflow
    private final Workflow<String, String> trial = Workflow.named("trial")
            .run(String.class, String.class, (ctx, customer) -> {
                ctx.step("begin", () -> tell("begin for " + customer));
                ctx.sleep("trial-period", Duration.ofSeconds(3)); // by the store's clock, never shorter

                Instant end = ctx.now().plus(Duration.ofMillis(300)); // the same time in every replay
                ctx.sleepUntil("grace-period", end); // not at all where that is over
                ctx.step("bill", () -> tell("bill " + customer));
                return customer + " was billed";
            });
    // endregion

    private SleepExample() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("perdure");
        tellAll("jdbc:sqlite:" + folder.resolve("app.db")).forEach(System.out::println);
    }

    /** Lets a run sleep in the store of this URL while it is closed; tells what happened. */
    static List<String> tellAll(String url) throws InterruptedException {
        SleepExample example = new SleepExample();
        example.run(url);
        return example.told;
    }

    private void run(String url) throws InterruptedException {
        // region close-and-open
        RunId id;
        try (Perdure perdure = Perdure.open(url).register(trial).start()) {
            Run<String> run = perdure.start(trial, "ann");
            id = run.id();
            awaitSleep(run);
        }
        tell("closed"); // a deploy, say: nothing is running now

        try (Perdure perdure = Perdure.open(url).register(trial).start()) {
            tell("opened");
            tell(perdure.run(trial, id).result(Duration.ofMinutes(1)));
        }
        // endregion
    }

    private void awaitSleep(Run<String> run) throws InterruptedException {
        while (run.steps().stream().noneMatch(step -> step.kind() == StepInfo.Kind.SLEEP)) {
            environment.sleep(Duration.ofMillis(10));
        }
    }

    private void tell(String what) {
        told.add(what);
    }
}
