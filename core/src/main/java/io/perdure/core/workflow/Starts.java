package io.perdure.core.workflow;

import io.perdure.core.store.Lease;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Pending;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunCommit.Definition;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.logging.Logs;
import io.perdure.sdk.run.Serving;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.worker.Assignment;
import io.perdure.sdk.worker.Gate;
import io.perdure.sdk.worker.Held;
import io.perdure.sdk.worker.Mailbox;
import io.perdure.sdk.worker.Registry;
import io.perdure.sdk.worker.Worker;
import io.perdure.sdk.workflow.WorkflowDefinition;
import io.perdure.sdk.workflow.WorkflowIdMismatchException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Starts runs. One that may begin at once, and that this process has code and room for, is started under a lease of its worker and
 * handed over to it: nobody need claim it.
 */
final class Starts {
    private static final System.Logger LOG = Logs.of(Starts.class);

    /** How long the table of workers is taken to hold. */
    private static final Duration SERVING_FRESH = Duration.ofMillis(100);

    private final Workflows.Setup setup;
    private final Registry registry;
    private volatile @Nullable Remembered remembered;

    private record Remembered(Serving serving, long nanos) {}

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
     * Starts a run of a workflow, with the version of its definition.
     *
     * @param here who works on runs in this process, if anybody does
     */
    Begun start(@Nullable Passing here, WorkflowDefinition workflow, @Nullable Object input, StartOptions options) {
        return start(here, definition(workflow, input, options), options, workflow.retentionDays(), null);
    }

    private Definition definition(WorkflowDefinition workflow, @Nullable Object input, StartOptions options) {
        options.requireFor(workflow);
        Json json = setup.codec().write(input, "The input of workflow " + workflow);
        return new Definition(workflow.name(), workflow.version(), workflow.kind(), json, writes(options));
    }

    /**
     * A workflow by its name.
     *
     * @param kind how it is written, where the starter knows
     */
    record Named(WorkflowName workflow, @Nullable RunKind kind, Json input) {}

    /** Starts a run by the name of its workflow, with the newest version that a live worker serves; where there is none, whoever comes first decides. */
    Begun start(@Nullable Passing here, Named asked, StartOptions options, @Nullable RunId id) {
        WorkflowName workflow = asked.workflow();
        Integer version = options.version();
        if (version == null) {
            version = serving().newest(workflow).orElse(null);
        }
        @Nullable
        WorkflowDefinition known =
                version == null ? null : registry.find(workflow, version).orElse(null);
        if (known != null) {
            return start(here, definition(known, asked.input(), options), options, known.retentionDays(), id);
        }
        Definition definition = new Definition(workflow, version, asked.kind(), asked.input(), writes(options));
        return start(here, definition, options, setup.limits().runs().retentionDaysDefault(), id);
    }

    /** Somebody may serve something else now. */
    void forgetWorkers() {
        remembered = null;
    }

    /** What live workers serve, as of a moment ago: a server that starts thousands of runs a second need not ask for each. */
    private Serving serving() {
        Remembered known = remembered;
        long now = setup.environment().nanoTime();
        if (known == null || now - known.nanos() >= SERVING_FRESH.toNanos()) {
            known = new Remembered(new Serving(setup.store().workers(setup.tenant())), now);
            remembered = known;
        }
        return known.serving();
    }

    private Map<String, Json> writes(StartOptions options) {
        Map<String, Json> writes = new TreeMap<>();
        options.writes()
                .forEach((key, value) ->
                        writes.put(key, setup.codec().write(value, "Entry \"" + key + "\" of the scratchpad")));
        return writes;
    }

    /**
     * Starts a run, or finds the one that a key leads to.
     *
     * @param here who works on runs in this process, if anybody does
     * @param ownDays for how long runs of this workflow are kept where the options do not say
     * @param id what the run is to be called; absent for a fresh id
     */
    private Begun start(
            @Nullable Passing here, Definition definition, StartOptions options, int ownDays, @Nullable RunId id) {
        Integer asked = options.retentionDays();
        int days =
                Math.min(asked == null ? ownDays : asked, setup.limits().runs().retentionDaysMax());
        StartOptions.Keys keys = options.keys();
        RunCommit.StartOptions stored = new RunCommit.StartOptions(
                keys.idempotencyKey(),
                keys.workflowId(),
                options.deadline(),
                setup.telemetry().within(options).tags(),
                days,
                null);
        RunId run = id == null ? setup.environment().ids().runId() : id;
        if (here != null
                && options.isAtOnce()
                && isServed(definition)
                && here.worker().reserve()) {
            Lease lease = here.backend().leaseOfStarts();
            return handedOver(
                    here.worker(), new Start(setup.tenant(), run, definition, options.ready(), lease, stored));
        }
        Start start = new Start(setup.tenant(), run, definition, options.ready(), null, stored);
        Outcome outcome = setup.ledger().commit(start);
        if (!(outcome instanceof Outcome.Started started)) {
            return existing(start, outcome);
        }
        if (here != null) {
            Instant ready = options.ready().fixedAt(started.at());
            Instant deadline = started.deadline();
            Instant due = deadline != null && deadline.isBefore(ready) ? deadline : ready;
            here.worker().dueIn(Duration.between(started.at(), due));
        }
        return new Begun(run, true, null);
    }

    /** Throws {@code PD-314} where the run that a key led to has another workflow id than the start asked for. */
    private void requireSame(WorkflowId asked, RunId found) {
        setup.store()
                .run(setup.tenant(), found)
                .filter(row -> !asked.equals(row.workflowId()))
                .ifPresent(row -> {
                    WorkflowId other = row.workflowId();
                    throw new WorkflowIdMismatchException(
                            found,
                            "The idempotency key leads to run %s, which has %s; the start asked for \"%s\"."
                                    .formatted(
                                            found,
                                            other == null ? "no workflow id" : "workflow id \"" + other + "\"",
                                            asked));
                });
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
            worker.begin(start.run(), new Durable(pending), () -> workOn(worker, start, pending, nanos, ending));
            handed = true;
        } finally {
            if (!handed) {
                worker.giveBack();
            }
        }
        Outcome outcome = pending.await();
        return outcome instanceof Outcome.Started ? new Begun(start.run(), true, ending) : existing(start, outcome);
    }

    /** Opens when the start is durable, or is known not to be. */
    private record Durable(Pending pending) implements Gate {
        @Override
        public boolean isOpen() {
            return pending.isDone();
        }

        @Override
        public void await() {
            pending.awaitSettled();
        }
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

    private Begun existing(Start start, Outcome outcome) {
        WorkflowId asked = start.options().workflowId();
        return switch (outcome) {
            case Outcome.Duplicate duplicate -> {
                if (asked != null && duplicate.key() == Outcome.Key.IDEMPOTENCY_KEY) {
                    requireSame(asked, duplicate.winner());
                }
                if (duplicate.key() == Outcome.Key.WORKFLOW_ID && wasSentBefore(start, duplicate.winner())) {
                    yield repeated(start);
                }
                // One that is sent again finds itself.
                yield new Begun(duplicate.winner(), duplicate.winner().equals(start.run()), null);
            }
            case Outcome.Conflict _ -> repeated(start);
            case Outcome.Refused(var why, String detail) -> throw why.because(detail);
            case Outcome other ->
                throw new IllegalStateException("the start of a run of %s was answered with %s"
                        .formatted(start.definition().workflow(), other));
        };
    }

    /** Whether it began a run that has ended since, so that another one has its workflow id now. */
    private boolean wasSentBefore(Start start, RunId holder) {
        return !holder.equals(start.run())
                && setup.store().run(setup.tenant(), start.run()).isPresent();
    }

    /** A start whose run id is in use was sent before, or is another one under the same id. */
    private Begun repeated(Start start) {
        boolean same = setup.store()
                .run(setup.tenant(), start.run())
                .filter(row ->
                        row.definition().workflow().equals(start.definition().workflow()))
                .filter(row ->
                        row.definition().fingerprint().equals(start.definition().fingerprint()))
                .isPresent();
        if (!same) {
            throw Refusal.KEY_REUSED.because("Run id %s was used for another start.".formatted(start.run()));
        }
        return new Begun(start.run(), true, null);
    }
}
