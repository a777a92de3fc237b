package io.perdure.core.workflow;

import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.RunSnapshot;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.run.Fit;
import io.perdure.sdk.worker.Assignment;
import io.perdure.sdk.worker.Command;
import io.perdure.sdk.worker.Held;
import io.perdure.sdk.worker.Mailbox;
import io.perdure.sdk.worker.Registry;
import io.perdure.sdk.worker.Replayer;
import io.perdure.sdk.workflow.WorkflowDefinition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Moves runs from one version of their workflow to another, where the code of that one fits what they have recorded. */
final class Moves {
    private final Workflows.Setup setup;
    private final Registry registry;
    private final Interventions interventions;

    Moves(Workflows.Setup setup, Registry registry, Interventions interventions) {
        this.setup = setup;
        this.registry = registry;
        this.interventions = interventions;
    }

    /** Whether a run could go on with this version, whose code this process has ({@code PD-508}). */
    Fit check(RunId run, int version) {
        return check(snapshot(run), version);
    }

    private RunSnapshot snapshot(RunId run) {
        return setup.store().snapshots(setup.tenant(), List.of(run)).stream()
                .findFirst()
                .orElseThrow(
                        () -> Refusal.NO_SUCH_RUN.because("Tenant %s has no run %s.".formatted(setup.tenant(), run)));
    }

    private Fit check(RunSnapshot snapshot, int version) {
        RunRow row = snapshot.run();
        RunId run = row.id();
        if (row.status().isTerminal()) {
            throw Refusal.RUN_ENDED.because("Run %s is %s and does not go on."
                    .formatted(run, row.status().word()));
        }
        WorkflowDefinition definition = registry.require(row.definition().workflow(), version);
        Command next = Replayer.next(definition, setup.codec(), resumed(snapshot, version));
        long last = snapshot.history().getLast().seq();
        return switch (next) {
            case Command.Park park -> new Fit(run, definition.name(), version, last, false, bare(park));
            // Code that throws would end the run.
            case Command.Fail _ ->
                new Fit(run, definition.name(), version, last, false, "The code " + WhatNext.of(next) + ".");
            case Command _ -> new Fit(run, definition.name(), version, last, true, WhatNext.of(next));
        };
    }

    /** The run as a worker would have it, were it put back to work now. */
    private Assignment resumed(RunSnapshot snapshot, int version) {
        RunRow row = snapshot.run();
        Instant now = setup.store().now();
        List<Recorded> history = new ArrayList<>(snapshot.history());
        history.add(new Recorded(
                history.getLast().seq() + 1, now, null, new Event.RunResumed(Interventions.USER, "check", version)));
        Mailbox mailbox = LocalBackend.mailbox(row.wakes(), snapshot.mailbox());
        return new Assignment(
                new Held(row.id(), setup.environment().ids().token()),
                row.definition().workflow(),
                version,
                0,
                now,
                row.deadline(),
                history,
                mailbox);
    }

    /** Has a run go on with another version; {@code PD-315} where it does not fit, {@code PD-313} where it went on meanwhile. */
    Fit move(RunId run, int version, String reason) {
        RunSnapshot snapshot = snapshot(run);
        RunSnapshot.RunMessage message = snapshot.message();
        if (message != null && message.leased()) {
            throw Refusal.NOT_ALLOWED.because(
                    "Run %s is worked on now; it can be moved while it rests, or is parked.".formatted(run));
        }
        Fit fit = check(snapshot, version);
        if (!fit.fits()) {
            throw new RefusedException(
                    ErrorCode.DOES_NOT_FIT,
                    "Run %s cannot go on with %s@%s: %s".formatted(run, fit.workflow(), version, fit.detail()));
        }
        interventions.appendAfter(run, fit.last(), new Event.RunResumed(Interventions.USER, reason, version));
        return fit;
    }

    /** What the code did not fit by, without the code and the remedy of who parks: nobody is parked here. */
    private static String bare(Command.Park park) {
        return Stream.of(ErrorCode.values())
                .filter(code -> code.code().equals(park.reason()))
                .findFirst()
                .map(code -> park.detail().replace(code.code() + " ", "").replace(" " + code.remedy(), ""))
                .orElse(park.detail());
    }
}
