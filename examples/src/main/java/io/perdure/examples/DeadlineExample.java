package io.perdure.examples;

import io.perdure.core.Perdure;
import io.perdure.sdk.RunFailedException;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A run that still goes on at its deadline is cancelled, whatever it does: a step under way is interrupted, a wait ends. */
final class DeadlineExample {
    private static final Duration A_MINUTE = Duration.ofMinutes(1);

    private final List<String> told = new CopyOnWriteArrayList<>();

    private final Workflow<String, String> offer = Workflow.named("offer")
            .run(String.class, String.class, (ctx, what) -> {
                if (what.equals("hang")) {
                    ctx.step("ask-supplier", this::hang);
                } else {
                    ctx.waitForEvent("accepted", String.class);
                }
                ctx.step("deliver", () -> tell("deliver"));
                return what;
            });

    private DeadlineExample() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("perdure");
        tellAll("jdbc:sqlite:" + folder.resolve("app.db")).forEach(System.out::println);
    }

    /** Lets two runs pass their deadline in the store of this URL; tells what happened. */
    static List<String> tellAll(String url) {
        DeadlineExample example = new DeadlineExample();
        try (Perdure perdure = Perdure.open(url).register(example.offer).start()) {
            example.run(perdure, "hang");
            example.run(perdure, "wait");
        }
        return example.told;
    }

    private void run(Perdure perdure, String what) {
        // region deadline
        StartOptions soon =
                StartOptions.defaults().deadline(Duration.ofSeconds(3)); // from the start, by the store's clock
        Run<String> run = perdure.start(offer, what, soon);
        try {
            tell(run.result(A_MINUTE));
        } catch (RunFailedException e) {
            tell(what + ": " + e.code().code()); // PD-311, and the message names the deadline
        }
        // endregion
        if (run.history().getLast().event() instanceof Event.RunCancelled(String by, String reason)) {
            tell(what + ": cancelled by " + by + ": " + reason.replaceAll("\\d\\S+Z", "…"));
        }
    }

    private void hang() throws InterruptedException {
        tell("asks the supplier");
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            tell("interrupted");
            throw e;
        }
    }

    private void tell(String what) {
        told.add(what);
    }
}
