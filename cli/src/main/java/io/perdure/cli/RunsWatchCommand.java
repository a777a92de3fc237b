package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Following;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.RunInfo;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code perdure runs watch}: prints what happens to a run as it happens, until the run ends. */
@Command(
        name = "watch",
        header = "Follows a run until it ends.",
        description = {
            "Prints what has happened to the run, and what happens from now on. Exit code 0 where the run completed,",
            "1 where it failed, was cancelled, is parked, or has not ended in time. The json format is a line per event."
        })
final class RunsWatchCommand implements Runnable {
    private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Parameters(index = "0", paramLabel = "RUN", description = "The run's id.")
    private String id = "";

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description = "How long to follow it, such as 30s or 5m. Without it: until it ends.")
    private @Nullable Duration timeout;

    @Mixin
    private ParkingOption parking = new ParkingOption();

    RunsWatchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        if (timeout != null) {
            RunText.requireNotNegative("A timeout", timeout);
        }
        // A bad id is wrong usage, which must not leave a new store behind.
        RunId asked = RunId.parse(id);
        where.withRunOf(terminal, engine -> follow(engine.run(asked), new WorkerWarning(terminal, where, engine)));
    }

    private void follow(Run<Json> run, WorkerWarning warning) {
        warning.print(run.info());
        SystemEnvironment environment = new SystemEnvironment();
        long begun = environment.nanoTime();
        try (Following following = run.follow(0)) {
            while (!following.isOver()) {
                List<Recorded> came =
                        following.next(timeout == null ? FOR_EVER : timeout.minusNanos(environment.nanoTime() - begun));
                if (came.isEmpty() && !following.isOver()) {
                    throw warning.added(notYet(run.info()), run);
                }
                came.forEach(this::print);
                if (!came.isEmpty() && came.getLast().event() instanceof Event.RunParked && parking.stops()) {
                    parking.requireNotParked(run, where);
                }
            }
        }
        // It is there, or what it ended with is thrown.
        run.result(Duration.ZERO);
    }

    private RefusedException notYet(RunInfo row) {
        Failure why = row.error();
        return new RefusedException(
                ErrorCode.NO_RESULT_YET,
                "Run %s is %s after it was followed for %s%s."
                        .formatted(row.id(), row.status().word(), timeout, why == null ? "" : ": " + sentence(why)));
    }

    private static String sentence(Failure why) {
        return EventText.failure(why).replaceFirst("\\.$", "");
    }

    private void print(Recorded recorded) {
        format.printLine(
                terminal,
                EventText.json(recorded),
                () -> terminal.out()
                        .println(Failures.harmless(String.format(
                                Locale.ROOT,
                                "%4d  %s  %s",
                                recorded.seq(),
                                EventText.time(recorded.at()),
                                EventText.line(recorded)))));
    }
}
