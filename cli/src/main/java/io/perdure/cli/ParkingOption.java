package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.ParkedRun;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.RunInfo;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The {@code --across-parking} of commands that wait for the end of a run. */
final class ParkingOption {
    @Option(
            names = "--across-parking",
            description = {
                "Goes on waiting while the run is parked, until the run is resumed. By default the wait stops at once",
                "with PD-316, which says why the run is parked and how to repair it."
            })
    private boolean acrossParking;

    /** Whether a wait stops when the run is parked. */
    boolean stops() {
        return !acrossParking;
    }

    /** Waits for the result; the error about a parked run has commands that find the same store. */
    Json result(Run<Json> run, Duration atMost, WhereOption where) {
        if (acrossParking) {
            return run.resultAcrossParking(atMost);
        }
        try {
            return run.result(atMost);
        } catch (RefusedException e) {
            if (e.code() == ErrorCode.RUN_PARKED) {
                requireNotParked(run, where);
            }
            throw e;
        }
    }

    /** Throws {@code PD-316} if the run is parked now and the wait is to stop then. */
    void requireNotParked(Run<Json> run, WhereOption where) {
        RunInfo row = run.info();
        if (stops() && row.status() == RunStatus.PARKED) {
            throw ParkedRun.refusal(row, where.repeated());
        }
    }
}
