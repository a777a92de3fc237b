package io.perdure.cli;

import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.run.BulkAction;
import io.perdure.sdk.run.BulkProgress;
import java.util.LinkedHashMap;
import java.util.Map;

/** Does something to many runs, or counts them while there is no yes, and says what came of it. */
record BulkRuns(Terminal terminal, WhereOption where, FormatOption format, BulkAction action) {
    /** Does it to all that were chosen. */
    void all(ChosenRuns chosen) {
        try (Engine engine = where.open(terminal)) {
            BulkProgress done = chosen.yes()
                    ? engine.operations().inBulk(action, chosen.filter(), chosen.reason(), this::progress)
                    : new BulkProgress(engine.operations().count(action, chosen.filter()), 0, 0);
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("matched", done.matched());
            shown.put(action.word(), done.done());
            shown.put("missed", done.missed());
            format.print(terminal, shown, () -> print(done, chosen.yes()));
        }
    }

    /** Says that one run was put back to work, and how to see what it does. */
    void printDue(RunId run, String how) {
        terminal.out().println(capitalised() + " run " + run + how + ": it is due now.");
        terminal.out().println("Follow it:  perdure runs watch" + where.repeated() + " " + run);
    }

    private void print(BulkProgress done, boolean yes) {
        if (done.matched() == 0) {
            terminal.out().println("No run that is " + possible() + " matches.");
            terminal.out().println("See what there is:  perdure runs count" + where.repeated());
        } else if (!yes) {
            terminal.out().println(runs(done.matched()) + " would be " + action.word() + ". To do so, add --yes.");
        } else {
            terminal.out().println(capitalised() + " " + runs(done.done()) + "." + missed(done.missed()));
            terminal.out()
                    .println("See them:  perdure runs list" + where.repeated() + " --status "
                            + becomes().word());
        }
    }

    /** How far it is, on the side of errors: what is printed stays the answer. */
    private void progress(BulkProgress sofar) {
        if (format.isText() && sofar.matched() > 0) {
            terminal.err()
                    .println(
                            sofar.done() + sofar.missed() == 0
                                    ? runs(sofar.matched()) + " to " + verb() + " ..."
                                    : Units.count(sofar.done()) + " of " + Units.count(sofar.matched()) + " ...");
            terminal.err().flush();
        }
    }

    private String missed(long count) {
        if (count == 0) {
            return "";
        }
        boolean one = count == 1;
        String why = switch (action) {
            case CANCEL -> "ended before";
            case RESUME -> (one ? "was" : "were") + " not parked any more";
            case REDRIVE ->
                (one
                                ? "was not failed any more, is past its deadline, or another run has its"
                                : "were not failed any more, are past their deadline, or other runs have their")
                        + " workflow id";
        };
        return " " + Units.count(count) + " " + why + ".";
    }

    private String verb() {
        return switch (action) {
            case CANCEL -> "cancel";
            case RESUME -> "resume";
            case REDRIVE -> "redrive";
        };
    }

    private String possible() {
        return switch (action) {
            case CANCEL -> "running or parked";
            case RESUME -> "parked";
            case REDRIVE -> "failed";
        };
    }

    private RunStatus becomes() {
        return action == BulkAction.CANCEL ? RunStatus.CANCELLED : RunStatus.RUNNING;
    }

    private String capitalised() {
        return Character.toUpperCase(action.word().charAt(0)) + action.word().substring(1);
    }

    private static String runs(long count) {
        return Units.count(count) + (count == 1 ? " run" : " runs");
    }
}
