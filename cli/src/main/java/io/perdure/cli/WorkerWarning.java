package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.RunInfo;

/** Warns on standard error that no live worker serves the workflow and version of a run. The exit code and standard output stay as they are. */
record WorkerWarning(Terminal terminal, WhereOption where, Engine engine) {
    /** Prints the warning if the run, which was just started, waits for a worker. Never throws: the start is done, whatever cannot be read after it. */
    void printAfterStart(Run<?> run) {
        RunInfo row;
        try {
            row = run.info();
        } catch (PerdureException e) {
            print("The run", run.id(), e);
            return;
        }
        print(row);
    }

    /** Prints the warning if the run waits for a worker. If the live workers cannot be read, the warning says so. */
    void print(RunInfo row) {
        Attendance attendance;
        try {
            attendance = attendance();
        } catch (PerdureException e) {
            print("The live workers", row.id(), e);
            return;
        }
        if (attendance.isMissedBy(row)) {
            print(row, attendance);
        }
    }

    private void print(String unread, RunId run, PerdureException why) {
        terminal.err()
                .println(Failures.line("Warning: %s cannot be read, so run %s may wait for a worker. %s"
                        .formatted(unread, run, why.getMessage())));
        terminal.err().flush();
    }

    private void print(RunInfo row, Attendance attendance) {
        terminal.err()
                .println(Failures.harmless("Warning: %s Run %s waits until one does. %s"
                        .formatted(attendance.unserved(row), row.id(), attendance.instead(row))));
        terminal.err()
                .println("Start a worker that has this code, or cancel the run:  perdure runs cancel" + where.repeated()
                        + " " + row.id());
        terminal.err().println("To see the live workers:  perdure workers list" + where.repeated());
        terminal.err().flush();
    }

    /**
     * Returns the error with the warning added to it, if it says that a wait is over and the run waits for a worker. If that cannot be read, returns the error as
     * it is, with the reason as suppressed.
     */
    RefusedException added(RefusedException error, Run<?> run) {
        if (error.code() != ErrorCode.NO_RESULT_YET) {
            return error;
        }
        try {
            RunInfo row = run.info();
            Attendance attendance = attendance();
            return attendance.isMissedBy(row)
                    ? new RefusedException(error.code(), error.what() + " " + attendance.unserved(row), error)
                    : error;
        } catch (PerdureException e) {
            error.addSuppressed(e);
            return error;
        }
    }

    private Attendance attendance() {
        return new Attendance(engine.operations().workers());
    }
}
