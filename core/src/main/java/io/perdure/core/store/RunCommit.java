package io.perdure.core.store;

import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Inline;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.worker.Release;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A change of one run. The history is the lock: every one of these but a signal stands or falls with an event's number. */
public sealed interface RunCommit extends Commit {
    RunId run();

    /**
     * Begins a run: its row, its keys and its message.
     *
     * <p>Keys are looked at in this order. A bound idempotency key answers {@link Outcome.Duplicate} with its run, or is
     * refused ({@code KEY_REUSED}) when the input's fingerprint differs. Then a workflow id held by an active run answers
     * {@link Outcome.Duplicate} with that run, and binds the idempotency key to it. A run id in use answers
     * {@link Outcome.Conflict}.
     *
     * @param definition what to run
     * @param ready when its message becomes due
     * @param lease set when the starter hands the run to a worker of its own once this is durable
     * @param options what else was asked for
     */
    record Start(
            TenantId tenant,
            RunId run,
            Definition definition,
            Due ready,
            @Nullable Lease lease,
            StartOptions options) implements RunCommit {
        public Start {
            Commit.require(!(ready instanceof Due.Never), "A run that is started becomes due.");
            Commit.require(
                    lease == null || ready.equals(Due.atOnce()),
                    "A run that is handed over at its start is due at once.");
            Commit.require(
                    lease == null || definition.version() != null, "A run that is handed over names its version.");
        }

        /** The event that this start is: number 0 of the run's history. */
        public Event.RunCreated created() {
            return new Event.RunCreated(
                    definition.workflow(),
                    definition.version(),
                    definition.kind(),
                    definition.input(),
                    definition.writes(),
                    options.idempotencyKey(),
                    options.workflowId(),
                    options.parent(),
                    options.tags());
        }
    }

    /**
     * What a run is to do.
     *
     * @param version the version to run; absent where the first worker to claim the run decides
     * @param kind how the workflow is written; absent where the starter does not know
     * @param writes what a StepFlow finds in its scratchpad
     */
    record Definition(
            WorkflowName workflow,
            @Nullable Integer version,
            @Nullable RunKind kind,
            Json input,
            Map<String, Json> writes) {
        public Definition {
            writes = Ordered.copy(writes);
            Commit.require(version == null || version >= 1, "A workflow's version is 1 or more.");
            Inline.value(input, "The input of workflow \"%s\"".formatted(workflow));
            Inline.writes(writes);
        }

        /** What two starts with one idempotency key must have in common: input and first writes, by meaning. */
        public String fingerprint() {
            if (writes.isEmpty()) {
                return input.fingerprint();
            }
            JsonObject.Builder both = JsonObject.builder();
            writes.forEach(both::put);
            return JsonObject.builder()
                    .put("input", input)
                    .put("writes", both.build())
                    .build()
                    .fingerprint();
        }
    }

    /**
     * What a start may ask for besides the work itself.
     *
     * @param deadline when the run is to be cancelled if it still goes on; never, unless said
     * @param retentionDays how many days it is kept once it has ended
     */
    record StartOptions(
            @Nullable IdempotencyKey idempotencyKey,
            @Nullable WorkflowId workflowId,
            Due deadline,
            Map<String, String> tags,
            int retentionDays,
            @Nullable RunId parent) {
        public StartOptions {
            tags = Ordered.copy(tags);
            Bounds.retentionDays(retentionDays);
            Bounds.tags(tags);
        }
    }

    /**
     * A worker's commit: appends events, sends messages, and may let go of the run.
     *
     * <p>Applies only if the run's message bears the token and {@code seq} is next; else {@link Outcome.LeaseLost} or
     * {@link Outcome.Conflict}, looked at in this order. A lease that ran out passes as long as nobody else has claimed.
     * Without {@code release} and without an ending event the worker keeps its lease, and only event rows are written.
     *
     * @param token the token of the worker's lease
     * @param seq the number of the first event; the number that would be next where there are none
     * @param events what happened; an event that ends or parks the run can only be the last
     * @param sends messages that leave with these events or not at all
     * @param release set when the worker lets go of a run that goes on
     */
    record Advance(
            TenantId tenant,
            RunId run,
            UUID token,
            long seq,
            List<Draft> events,
            List<NewMessage> sends,
            @Nullable Release release)
            implements RunCommit {
        public Advance {
            events = List.copyOf(events);
            sends = List.copyOf(sends);
            Commit.require(seq >= 1, "Events that are appended have numbers from 1.");
            Commit.require(!events.isEmpty() || release != null, "A commit has an event or lets go of the run.");
            Commit.require(!events.isEmpty() || sends.isEmpty(), "Messages leave with an event.");
            Bounds.events(events);
            Bounds.batch(sends);
            Commit.require(
                    Histories.endsOnlyLast(events), "An event that ends or parks a run is the last of its commit.");
            Commit.require(
                    release == null || !Histories.ends(events),
                    "A run that ends or is parked is not released as well.");
            Commit.require(
                    events.stream().map(Draft::event).noneMatch(Histories::isIntervention),
                    "A run is created by Start; it is resumed and redriven by Intervene.");
        }
    }

    /**
     * Changes a run from outside: cancel, park, resume, redrive, a deadline that passed, a sweep's repair.
     *
     * <p>Names no number: the events are appended after the last one, so it never loses against a busy run. Takes the
     * lease away from whoever holds it. A run that is running afterwards has its message, ready when {@code ready} says; one
     * that is not has none. Refused ({@code NOT_ALLOWED}, {@code RUN_ENDED}) where the status does not allow the events; a
     * redrive also ({@code WORKFLOW_ID_HELD}) while another active run holds the workflow id. Resuming a run that is running
     * is a repair, allowed only to who names the last event: it would take the lease from a healthy worker.
     *
     * @param ifLast where set, the number of the last event on which the decision was based; if it is not the last any more
     *     the answer is {@link Outcome.Conflict}
     */
    record Intervene(TenantId tenant, RunId run, OptionalLong ifLast, List<Draft> events, Due ready)
            implements RunCommit {
        public Intervene {
            events = List.copyOf(events);
            Commit.require(!events.isEmpty(), "An intervention leaves an event.");
            Commit.require(!(ready instanceof Due.Never), "A run that goes on becomes due.");
            Bounds.events(events);
            Commit.require(
                    Histories.endsOnlyLast(events), "An event that ends or parks a run is the last of its commit.");
            Commit.require(
                    events.stream().noneMatch(draft -> draft.event() instanceof Event.RunCreated),
                    "A run is created by Start.");
            Commit.require(
                    events.stream()
                            .allMatch(draft ->
                                    Histories.signalTaken(draft.event()).isEmpty()),
                    "Only the holder of the lease takes signals.");
        }

        public Intervene(TenantId tenant, RunId run, Event event) {
            this(tenant, run, OptionalLong.empty(), List.of(new Draft(event)), Due.atOnce());
        }
    }

    /**
     * Puts a signal into a run's mailbox, raises its wakes, and makes it due if it is suspended on that event. The only
     * run commit without an event: a signal enters the history when the run takes it.
     *
     * @param deduplicationId a second signal with the same one answers as the first did, and does nothing
     */
    record Signal(
            TenantId tenant,
            RunId run,
            EventName event,
            Json payload,
            @Nullable DeduplicationId deduplicationId) implements RunCommit {
        public Signal {
            Commit.require(!event.isReserved(), "Events that start with __ are Perdure's own.");
            Inline.value(payload, "The payload of signal \"%s\"".formatted(event));
        }
    }
}
