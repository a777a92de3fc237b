package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.RunInfo;

/** Warns on standard error that no live worker serves the workflow and version of a run. The exit code and standard output stay as they are. */
record WorkerWarning(Terminal terminal, WhereOption where, Engine engine) {
    /** Prints the warning if the run waits for a worker. What was done before does not fail if the workers cannot be read. */
    void print(Run<?> run) {
        try {
            RunInfo row = run.info();
            Attendance attendance = attendance();
            if (attendance.isMissedBy(row)) {
                print(row, attendance);
            }
        } catch (PerdureException e) {
            terminal.err()
                    .println(Failures.line("Warning: The live workers cannot be read, so run " + run.id()
                            + " may wait for one. " + e.getMessage()));
        }
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

    /** Returns the error with the warning added to it, if it says that a wait is over and the run waits for a worker. */
    RefusedException added(RefusedException error, Run<?> run) {
        if (error.code() != ErrorCode.NO_RESULT_YET) {
            return error;
        }
        RunInfo row = run.info();
        Attendance attendance = attendance();
        return attendance.isMissedBy(row)
                ? new RefusedException(error.code(), error.what() + " " + attendance.unserved(row), error)
                : error;
    }

    private Attendance attendance() {
        return new Attendance(engine.operations().workers());
    }
}
