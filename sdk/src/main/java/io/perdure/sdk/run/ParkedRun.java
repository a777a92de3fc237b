package io.perdure.sdk.run;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.id.RunId;
import java.util.Arrays;
import java.util.Optional;

/** Says why a run is parked, and which command repairs it. */
public final class ParkedRun {
    private ParkedRun() {}

    /** Returns the error {@code PD-316} for a caller that waits for the result of a parked run. */
    public static RefusedException refusal(RunInfo run) {
        return refusal(run, "");
    }

    /**
     * Returns the error {@code PD-316} for a caller on the command line.
     *
     * @param options what the commands need to find the same store, with a blank before it; empty if they find it anyway
     */
    public static RefusedException refusal(RunInfo run, String options) {
        String workflow = run.workflow() + (run.version() == null ? "" : "@" + run.version());
        return new RefusedException(
                ErrorCode.RUN_PARKED,
                "Run %s of %s is parked%s. %s"
                        .formatted(run.id(), workflow, RunEnd.why(run.error()), repair(run, options)));
    }

    private static String repair(RunInfo run, String options) {
        String resume = command("resume", run.id(), options);
        Failure why = run.error();
        ErrorCode code = why == null ? null : code(why.type()).orElse(null);
        if (why == null || code == null) {
            return "Find and fix the cause, then run " + resume + ".";
        }
        String remedy = why.message().contains(code.remedy()) ? "" : code.remedy() + " ";
        return remedy
                + switch (code) {
                    case HISTORY_MISMATCH, MISSING_STEP ->
                        "To resume it, run %s; to go on with another version, run `perdure runs move%s %s --to VERSION`."
                                .formatted(resume, options, run.id());
                    case HISTORY_FULL ->
                        "To go on with this run, raise its limit in all processes over the store (--max-run-events of a server, OpenOptions.runEventsMax of a program) and run %s; to end it, run %s."
                                .formatted(resume, command("cancel", run.id(), options));
                    case HISTORY_TOO_LARGE ->
                        "The limit is --max-run-bytes of a server, OpenOptions.runBytesMax of a program. To resume it, run "
                                + resume + ".";
                    default -> "To resume it, run " + resume + ".";
                };
    }

    private static String command(String verb, RunId run, String options) {
        return "`perdure runs " + verb + options + " " + run + "`";
    }

    private static Optional<ErrorCode> code(String type) {
        return Arrays.stream(ErrorCode.values())
                .filter(code -> code.code().equals(type))
                .findFirst();
    }
}
