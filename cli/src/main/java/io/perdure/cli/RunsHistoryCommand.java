package io.perdure.cli;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code perdure runs history}: all that has happened to a run. */
@Command(
        name = "history",
        header = "Lists all that has happened to a run.",
        description =
                "Times are those of the store's clock. Below a failed attempt is its stack trace. The json format has the events as they are stored.")
final class RunsHistoryCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Parameters(index = "0", paramLabel = "RUN", description = "The run's id.")
    private String id = "";

    RunsHistoryCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        where.withRun(id, terminal, run -> {
            List<Recorded> history = run.history();
            format.print(terminal, history.stream().map(EventText::json).toList(), () -> {
                TextTable table = new TextTable("NO", "TIME", "WHAT HAPPENED");
                Failure before = null;
                for (Recorded recorded : history) {
                    table.row(
                            Long.toString(recorded.seq()),
                            EventText.time(recorded.at()),
                            Failures.harmless(EventText.line(recorded)));
                    Failure failure = failure(recorded.event());
                    boolean shown = recorded.event() instanceof Event.RunFailed && Objects.equals(failure, before);
                    if (failure != null && !shown) {
                        table.below(EventText.stackTrace(failure));
                    }
                    before = failure;
                }
                table.print(terminal);
            });
        });
    }

    private static @Nullable Failure failure(Event event) {
        return switch (event) {
            case Event.StepFailed failed -> failed.reason();
            case Event.RunFailed failed -> failed.reason();
            case Event.ChildEnded ended -> ended.error();
            case Event _ -> null;
        };
    }
}
