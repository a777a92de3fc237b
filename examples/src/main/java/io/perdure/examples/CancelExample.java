package io.perdure.examples;

import io.perdure.core.Perdure;
import io.perdure.sdk.RunFailedException;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A run is cancelled while a step of it is under way: the step is interrupted, and no further one starts. */
final class CancelExample {
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);

    // region workflow
    private final Workflow<String, String> export = Workflow.named("export")
            .run(String.class, String.class, (ctx, customer) -> {
                ctx.step("copy", () -> copy(customer));
                ctx.step("send", () -> tell("send"));
                return customer + " has it";
            });

    private void copy(String customer) throws InterruptedException {
        tell("copy for " + customer);
        begun.countDown();
        try {
            new CountDownLatch(1).await(); // a copy that takes for ever
        } catch (InterruptedException e) {
            tell("interrupted"); // tidy up, and let it out
            throw e;
        } finally {
            stopped.countDown();
        }
    }
    // endregion

    private CancelExample() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("perdure");
        tellAll("jdbc:sqlite:" + folder.resolve("app.db")).forEach(System.out::println);
    }

    /** Cancels a run in the store of this URL; tells what happened. */
    static List<String> tellAll(String url) throws InterruptedException {
        CancelExample example = new CancelExample();
        example.run(url);
        return example.told;
    }

    private void run(String url) throws InterruptedException {
        try (Perdure perdure = Perdure.open(url).register(export).start()) {
            Run<String> run = perdure.start(export, "ann");
            begun.await();
            // region cancel
            boolean cancelled = perdure.cancel(run.id(), "ann has left"); // on disk when this returns
            boolean again = perdure.cancel(run.id(), "really"); // false: it was cancelled before
            stopped.await();
            tell("cancelled " + cancelled + ", again " + again);
            try {
                tell(run.result(Duration.ofMinutes(1)));
            } catch (RunFailedException e) {
                tell(e.code().code()); // PD-311, and the message has the reason
            }
            // endregion
        }
    }

    private void tell(String what) {
        told.add(what);
    }
}
