package io.perdure.core.workflow;

import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.SizedSnapshots;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.run.Fit;
import io.perdure.sdk.run.Trial;
import io.perdure.sdk.worker.Mailbox;
import io.perdure.sdk.worker.Registry;
import java.util.List;

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

    /** Whether a run could go on with this version, whose code this process has ({@code PD-508}); {@code PD-106} if it is too large to be read. */
    Fit check(RunId run, int version) {
        return check(snapshot(run), version);
    }

    private RunSnapshot snapshot(RunId run) {
        ReadBound bound = ReadBound.ofWorker(setup.limits());
        SizedSnapshots found = setup.store().snapshots(setup.tenant(), List.of(run), bound.bytes());
        found.unread().forEach((id, size) -> {
            throw bound.exceededBy(id, size);
        });
        return found.read().stream()
                .findFirst()
                .orElseThrow(
                        () -> Refusal.NO_SUCH_RUN.because("Tenant %s has no run %s.".formatted(setup.tenant(), run)));
    }

    private Fit check(RunSnapshot snapshot, int version) {
        Mailbox mailbox = LocalBackend.mailbox(snapshot.run().wakes(), snapshot.mailbox());
        return new Trial(
                        snapshot.run().info(),
                        snapshot.history(),
                        mailbox,
                        setup.store().now())
                .of(registry, setup.codec(), version);
    }

    /** Has a run go on with another version; {@code PD-315} where it does not fit, {@code PD-313} where it went on meanwhile. */
    Fit move(RunId run, int version, String reason) {
        RunSnapshot snapshot = snapshot(run);
        requireAtRest(snapshot);
        Fit fit = check(snapshot, version).require();
        interventions.appendAfter(run, fit.last(), new Event.RunResumed(Interventions.USER, reason, version));
        return fit;
    }

    /** The same for whoever has looked elsewhere whether it fits, at a history that ended with this event. */
    void moveAfter(RunId run, long last, int version, String reason) {
        RunSnapshot snapshot = snapshot(run);
        requireAtRest(snapshot);
        interventions.appendAfter(run, last, new Event.RunResumed(Interventions.USER, reason, version));
    }

    private static void requireAtRest(RunSnapshot snapshot) {
        RunSnapshot.RunMessage message = snapshot.message();
        if (message != null && message.leased()) {
            throw Refusal.NOT_ALLOWED.because("Run %s is worked on now; it can be moved while it rests, or is parked."
                    .formatted(snapshot.run().id()));
        }
    }
}
