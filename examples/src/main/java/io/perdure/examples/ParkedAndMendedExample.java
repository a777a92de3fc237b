package io.perdure.examples;

import io.perdure.core.Perdure;
import io.perdure.sdk.RunFailedException;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.run.BulkAction;
import io.perdure.sdk.run.BulkProgress;
import io.perdure.sdk.run.Following;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.run.RunInfo;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Two things go wrong, and are mended. A deploy changes the code under runs: they are parked, found, and resumed together once the code is
 * mended. A bank is closed: the run fails, and is redriven from the step that failed.
 */
final class ParkedAndMendedExample {
    private static final Duration A_MINUTE = Duration.ofMinutes(1);
    private static final Retry TWICE = Retry.fixed(2, Duration.ofMillis(10));

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final AtomicBoolean bankIsOpen = new AtomicBoolean();

    // region changed
    private final Workflow<String, String> good = Workflow.named("delivery")
            .run(String.class, String.class, (ctx, item) -> {
                ctx.step("reserve", () -> tell("reserve a " + item));
                ctx.waitForEvent("courier", String.class);
                return item + " is on its way";
            });

    private final Workflow<String, String> changed = Workflow.named("delivery") // the same version
            .run(String.class, String.class, (ctx, item) -> {
                ctx.step("pick", () -> tell("pick a " + item)); // it was "reserve" when the runs began
                ctx.waitForEvent("courier", String.class);
                return item + " is on its way";
            });
    // endregion

    // region payment
    private final Workflow<String, String> payment = Workflow.named("payment")
            .run(String.class, String.class, (ctx, customer) -> {
                ctx.step("write-invoice", () -> tell("invoice for " + customer));
                return ctx.step("charge", String.class, () -> charge(ctx, customer), TWICE);
            });
    // endregion

    private ParkedAndMendedExample() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("perdure");
        tellAll("jdbc:sqlite:" + folder.resolve("app.db")).forEach(System.out::println);
    }

    /** Parks, resumes and redrives runs in the store of this URL; tells what happened. */
    static List<String> tellAll(String url) {
        ParkedAndMendedExample example = new ParkedAndMendedExample();
        List<RunId> runs = example.begin(url);
        example.park(url, runs);
        example.mend(url, runs);
        example.redrive(url);
        return example.told;
    }

    private List<RunId> begin(String url) {
        try (Perdure perdure = Perdure.open(url).register(good).start()) {
            Run<String> lamp = perdure.start(good, "lamp");
            await(lamp, Event.WaitStarted.class);
            Run<String> chair = perdure.start(good, "chair");
            await(chair, Event.WaitStarted.class);
            return List.of(lamp.id(), chair.id());
        }
    }

    private void park(String url, List<RunId> runs) {
        try (Perdure perdure = Perdure.open(url).register(changed).start()) {
            for (RunId run : runs) {
                perdure.signal(run, "courier", "cleo"); // it goes on, with code that does not match
                await(perdure.run(run), Event.RunParked.class);
            }
        }
    }

    private void mend(String url, List<RunId> runs) {
        // region resume
        try (Perdure perdure = Perdure.open(url).register(good).start()) { // the mended code
            RunFilter parked = RunFilter.all().workflow("delivery").status(RunStatus.PARKED);
            for (RunInfo run : perdure.runs(parked, 100).runs()) {
                tell("parked: " + why(run));
            }
            tell(perdure.operations().count(BulkAction.RESUME, parked) + " to resume"); // look first
            BulkProgress all = perdure.operations().inBulk(BulkAction.RESUME, parked, "reserve is back");
            tell(all.done() + " resumed");

            for (RunId run : runs) {
                tell(perdure.run(good, run).result(A_MINUTE)); // the signals were kept
            }
        }
        // endregion
    }

    private void redrive(String url) {
        try (Perdure perdure = Perdure.open(url).register(payment).start()) {
            // region redrive
            Run<String> run = perdure.start(payment, "ann");
            try {
                tell(run.result(A_MINUTE));
            } catch (RunFailedException e) {
                tell(e.code().code()); // PD-310: both attempts are used up
            }

            bankIsOpen.set(true);
            perdure.redrive(run.id(), "the bank is open again"); // what is recorded as done is not done again
            tell(run.result(A_MINUTE));
            // endregion
        }
    }

    private String charge(WorkflowContext ctx, String customer) throws IOException {
        tell("charge, attempt " + ctx.attempt().number());
        if (!bankIsOpen.get()) {
            throw new IOException("the bank is closed");
        }
        return customer + " has paid";
    }

    private static String why(RunInfo run) {
        return Objects.requireNonNull(run.error(), "a parked run has a reason").message();
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

    private void tell(String what) {
        told.add(what);
    }
}
