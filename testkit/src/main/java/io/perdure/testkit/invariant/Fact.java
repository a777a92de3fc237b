package io.perdure.testkit.invariant;

import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.Lease;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.queue.QueueFigures;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that an observer outside the store saw. A fact is what was asked, what was answered or what was done, never what
 * the observer concludes from it.
 */
public sealed interface Fact {
    /** The store's clock was moved. */
    record ClockMoved(Instant from, Instant to) implements Fact {}

    /** A commit was sent, the first time or again. Whether it arrived is not known yet. */
    record Asked(CommitRef ref, Commit commit) implements Fact {}

    /** The answer to a commit came back. */
    record Answered(CommitRef ref, Commit commit, Outcome outcome) implements Fact {}

    /** No answer came back: the commit may have been applied or not. */
    record AnswerLost(CommitRef ref, Commit commit) implements Fact {}

    /** A worker was given a run. */
    record RunClaimed(TenantId tenant, ClaimedRun run, Lease lease) implements Fact {}

    /** A receiver was given a message. */
    record MessageDelivered(TenantId tenant, Delivery delivery, Lease lease) implements Fact {}

    /** No answer to a receive came back: messages may have been leased that nobody was given. */
    record ReceiveLost(Receive request) implements Fact {}

    /** A lease was to last longer, and this was the answer. */
    record LeaseExtended(Extend request, Extended answer) implements Fact {}

    /** A run was asked for by a tenant, and this was found. */
    record RunRead(TenantId tenant, RunSnapshot snapshot) implements Fact {}

    /** A part of a run's history was asked for, from this number on and at most so many, and this was found. */
    record HistoryRead(TenantId tenant, RunId run, long from, int limit, List<Recorded> events) implements Fact {
        public HistoryRead {
            events = List.copyOf(events);
        }
    }

    /** A run was asked for by a tenant, and there was none. */
    record RunAbsent(TenantId tenant, RunId run) implements Fact {}

    /**
     * An idempotency key was looked up.
     *
     * @param run the run it is bound to, if any
     */
    record KeyRead(
            TenantId tenant,
            WorkflowName workflow,
            IdempotencyKey key,
            @Nullable RunId run) implements Fact {}

    /** All messages of a queue and its figures were read, at one moment. */
    record QueueRead(TenantId tenant, QueueName queue, List<MessageRow> messages, QueueFigures figures)
            implements Fact {
        public QueueRead {
            messages = List.copyOf(messages);
        }
    }

    /**
     * The body of a step began: the side effect that no database can take back.
     *
     * @param redrive how often the run had been redriven before
     * @param attempt which attempt of the step it was, by the worker's count
     * @param allowed how many attempts the step's policy allows
     */
    record StepRan(TenantId tenant, RunId run, StepName step, int redrive, int attempt, int allowed) implements Fact {}

    /** A sweep removed so many rows. */
    record Swept(Sweep what, int count) implements Fact {}

    /** The observer that notes this died, and forgot everything. Whoever goes on under its name knows nothing of before. */
    record Crashed() implements Fact {}

    /** From here on nothing is broken on purpose, and workers and receivers are at work. */
    record FaultsStopped() implements Fact {}

    /** Everything came to rest. The reads that follow find everything that there is: runs, queues and messages. */
    record LastLook() implements Fact {}
}
