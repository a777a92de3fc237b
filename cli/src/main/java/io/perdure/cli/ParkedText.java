package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.run.HistoryPart;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.RunInfo;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parked runs as a list of what is to be done: each with its reason in full, and with the commands that help. */
record ParkedText(Terminal terminal, WhereOption where, Attendance attendance) {
    private static final Pattern CODE = Pattern.compile("PD-\\d{3}");

    /** Since when a run is parked, which only its history knows. Empty for a run that is too large: a list would take minutes to read it. */
    static Optional<Instant> since(RunInfo row, Run<?> run) {
        if (row.error() != null && row.error().type().equals(ErrorCode.HISTORY_TOO_LARGE.code())) {
            return Optional.empty();
        }
        Instant newest = null;
        for (HistoryPart part = run.part(0); !part.events().isEmpty(); part = run.part(part.next())) {
            for (Recorded recorded : part.events()) {
                newest = recorded.event() instanceof Event.RunParked ? recorded.at() : newest;
            }
        }
        return Optional.ofNullable(newest);
    }

    /** Prints each with a blank line after it, and in the end how to resume many. */
    void print(List<RunInfo> parked, Map<RunInfo, Instant> since) {
        for (RunInfo row : parked) {
            print(row, since.get(row));
            terminal.out().println();
        }
        terminal.out()
                .println("To resume all that one mend helps:  perdure runs resume" + where.repeated()
                        + " --workflow NAME");
    }

    private void print(RunInfo row, @Nullable Instant since) {
        Labelled.print(terminal, "run", row.id().toString());
        Labelled.print(terminal, "workflow", RunText.workflow(row));
        if (since != null) {
            Labelled.print(terminal, "parked", EventText.time(since) + ", " + Age.textSince(since) + " ago");
        }
        Failure why = row.error();
        if (why != null) {
            Labelled.printWrapped(terminal, "why", EventText.failure(why));
            if (CODE.matcher(why.type()).matches()) {
                Labelled.print(terminal, "explain", "perdure explain " + why.type());
            }
        }
        Labelled.print(terminal, "resume", "perdure runs resume" + where.repeated() + " " + row.id());
        Labelled.print(
                terminal,
                "or move",
                "perdure runs move%s %s --to %s --classes PATH --definitions CLASS"
                        .formatted(where.repeated(), row.id(), attendance.otherVersion(row)));
    }
}
