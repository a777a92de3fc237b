package io.perdure.core.workflow;

import io.perdure.core.store.Lease;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Pending;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunCommit.Definition;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.worker.Assignment;
import io.perdure.sdk.worker.Held;
import io.perdure.sdk.worker.Mailbox;
import io.perdure.sdk.worker.Registry;
import io.perdure.sdk.worker.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Starts runs. One that may begin at once, and that this process has code and room for, is started under a lease of its worker and
 * handed over to it: nobody need claim it.
 */
final class Starts {
    private static final System.Logger LOG = System.getLogger(Starts.class.getPackageName());

    private final Workflows.Setup setup;
    private final Registry registry;

    Starts(Workflows.Setup setup, Registry registry) {
        this.setup = setup;
        this.registry = registry;
    }

    /**
     * The run that a start led to.
     *
     * @param created whether it is a new one
     * @param ending where its end is told, if it was handed over
     */
    record Begun(RunId run, boolean created, @Nullable Ending ending) {}

    /**
     * Starts a run, or finds the one that a key leads to.
     *
     * @param here who works on runs in this process, if anybody does
     * @param ownDays for how long runs of this workflow are kept where the options do not say
     */
    Begun start(@Nullable Passing here, Definition definition, StartOptions options, int ownDays) {
        Integer asked = options.retentionDays();
        int days =
                Math.min(asked == null ? ownDays : asked, setup.limits().runs().retentionDaysMax());
        RunCommit.StartOptions stored = new RunCommit.StartOptions(
                options.idempotencyKey(), options.workflowId(), options.deadline(), options.tags(), days, null);
        RunId run = setup.environment().ids().runId();
        if (here != null
                && options.isAtOnce()
                && isServed(definition)
                && here.worker().reserve()) {
            Lease lease = here.backend().leaseOfStarts();
            return handedOver(
                    here.worker(), new Start(setup.tenant(), run, definition, options.ready(), lease, stored));
        }
        Outcome outcome =
                setup.ledger().commit(new Start(setup.tenant(), run, definition, options.ready(), null, stored));
        if (!(outcome instanceof Outcome.Started started)) {
            return existing(definition.workflow(), outcome);
        }
        if (here != null) {
            Instant ready = options.ready().fixedAt(started.at());
            Instant deadline = started.deadline();
            Instant due = deadline != null && deadline.isBefore(ready) ? deadline : ready;
            here.worker().dueIn(Duration.between(started.at(), due));
        }
        return new Begun(run, true, null);
    }

    private boolean isServed(Definition definition) {
        Integer version = definition.version();
        return version != null && registry.find(definition.workflow(), version).isPresent();
    }

    /**
     * Starts a run already leased, and hands it to our worker once that is durable. The thread of the run waits for that itself:
     * one that the caller started only then would begin a wake-up later.
     */
    private Begun handedOver(Worker worker, Start start) {
        Ending ending = new Ending(setup.environment());
        long nanos = setup.environment().nanoTime();
        Pending pending;
        boolean handed = false;
        try {
            pending = setup.ledger().hand(start);
            setup.environment()
                    .start("perdure-run-" + start.run(), () -> workOn(worker, start, pending, nanos, ending));
            handed = true;
        } finally {
            if (!handed) {
                worker.giveBack();
            }
        }
        Outcome outcome = pending.await();
        return outcome instanceof Outcome.Started
                ? new Begun(start.run(), true, ending)
                : existing(start.definition().workflow(), outcome);
    }

    private static void workOn(Worker worker, Start start, Pending pending, long nanos, Ending ending) {
        boolean begun = false;
        try {
            if (pending.await() instanceof Outcome.Started started) {
                begun = true;
                worker.work(assignment(start, started), nanos, ending);
            }
        } catch (PerdureException e) {
            LOG.log(System.Logger.Level.DEBUG, "Run {0} did not start, as its caller is told: {1}", start.run(), e);
        } finally {
            if (!begun) {
                worker.giveBack();
            }
        }
    }

    private static Assignment assignment(Start start, Outcome.Started started) {
        Lease lease = Objects.requireNonNull(start.lease());
        Integer version = Objects.requireNonNull(start.definition().version());
        return new Assignment(
                new Held(start.run(), lease.token()),
                start.definition().workflow(),
                version,
                0,
                started.at(),
                started.deadline(),
                List.of(new Recorded(0, started.at(), started.deadline(), start.created())),
                Mailbox.EMPTY);
    }

    private static Begun existing(WorkflowName workflow, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Duplicate duplicate -> new Begun(duplicate.winner(), false, null);
            case Outcome.Refused(var why, String detail) -> throw why.because(detail);
            case Outcome other ->
                throw new IllegalStateException(
                        "the start of a run of %s was answered with %s".formatted(workflow, other));
        };
    }
}
