package io.perdure.cli;

import io.perdure.core.workflow.Run;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.RunFailedException;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.json.Json;
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
            "1 where it failed, was cancelled, or has not ended in time. The json format is a line per event."
        })
final class RunsWatchCommand implements Runnable {
    private static final Duration LOOK_EVERY = Duration.ofMillis(500);

    private final Terminal terminal;

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Parameters(index = "0", paramLabel = "ID", description = "The run's id.")
    private String id = "";

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description = "How long to follow it, such as 30s or 5m. Without it: until it ends.")
    private @Nullable Duration timeout;

    RunsWatchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        if (timeout != null) {
            RunText.requireNotNegative("A timeout", timeout);
        }
        store.withRun(id, terminal, this::follow);
    }

    private void follow(Run<Json> run) {
        SystemEnvironment environment = new SystemEnvironment();
        long begun = environment.nanoTime();
        long next = 0;
        while (true) {
            next = print(run.history(next), next);
            Duration left = timeout == null ? LOOK_EVERY : timeout.minusNanos(environment.nanoTime() - begun);
            if (isOver(run, left)) {
                // What came between the look and the end.
                print(run.history(next), next);
                run.result(Duration.ZERO);
                return;
            }
        }
    }

    /** Waits for the end, but only until it is time to look again; {@code PD-312} where no time is left. */
    private static boolean isOver(Run<Json> run, Duration left) {
        boolean last = left.compareTo(LOOK_EVERY) < 0;
        try {
            run.result(last ? left : LOOK_EVERY);
            return true;
        } catch (RunFailedException e) {
            // Thrown again once its last event is printed.
            return true;
        } catch (RefusedException e) {
            if (e.code() != ErrorCode.NO_RESULT_YET
                    || last
                    || Thread.currentThread().isInterrupted()) {
                throw e;
            }
            return false;
        }
    }

    /** Prints events; answers the number of the one to come after them. */
    private long print(List<Recorded> events, long next) {
        for (Recorded recorded : events) {
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
        return next + events.size();
    }
}
