package io.perdure.core.store.memory;

import io.perdure.core.store.RunCommit.Definition;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.core.store.RunCommit.StartOptions;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.core.store.Weight;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A run with its history, its mailbox and its message. */
final class RunState {
    final TenantId tenant;
    final RunId id;
    final Definition definition;
    final StartOptions options;
    final Instant startedAt;
    final @Nullable Instant deadline;
    final List<Recorded> history = new ArrayList<>();
    final NavigableMap<Long, MailboxEntry> mailbox = new TreeMap<>();

    RunStatus status = RunStatus.RUNNING;
    long wakes;

    @Nullable
    Integer version;

    @Nullable
    Json output;

    @Nullable
    Failure error;

    @Nullable
    Instant completedAt;

    @Nullable
    Message message;

    RunState(Start start, Instant startedAt, @Nullable Instant deadline) {
        this.tenant = start.tenant();
        this.id = start.run();
        this.definition = start.definition();
        this.options = start.options();
        this.version = start.definition().version();
        this.startedAt = startedAt;
        this.deadline = deadline;
        history.add(new Recorded(0, startedAt, deadline, start.created()));
    }

    long last() {
        return history.getLast().seq();
    }

    /** The queue of the run's workflow and version; of those without a version until a worker has claimed it. */
    QueueName queue() {
        return QueueName.ofRuns(definition.workflow(), version);
    }

    /** The earlier of a time and the run's deadline. */
    Instant orDeadline(Instant time) {
        return deadline != null && deadline.isBefore(time) ? deadline : time;
    }

    RunRow row() {
        return new RunRow(
                tenant,
                id,
                definition,
                version,
                status,
                output,
                error,
                options.idempotencyKey(),
                options.workflowId(),
                options.parent(),
                options.tags(),
                options.retentionDays(),
                wakes,
                deadline,
                startedAt,
                completedAt);
    }

    /** How large history and mailbox are. */
    long bytes() {
        return history.stream().mapToLong(event -> Weight.of(event.event())).sum()
                + mailbox.values().stream()
                        .mapToLong(entry -> entry.payload().text().length())
                        .sum();
    }

    RunSnapshot snapshot(Instant now) {
        RunSnapshot.RunMessage wake = message == null
                ? null
                : new RunSnapshot.RunMessage(queue(), message.readyAt, message.isLeased(now), message.wakeOn);
        return new RunSnapshot(row(), history, List.copyOf(mailbox.values()), wake);
    }

    /** The one message of a running run. Its queue follows from the run. */
    static final class Message extends Leasable {
        Set<EventName> wakeOn = Set.of();

        /** Leases in a row that ran out without progress. */
        int lapses;

        /** The run's last event when the lease began: a later one is progress. */
        long leasedAtSeq;

        Message(Instant readyAt) {
            super(readyAt);
        }

        /**
         * Lets go. A wait for an event, and a release after new events, start the count of lapsed leases anew. A run that is given back as it was
         * claimed keeps it: otherwise a run that kills its process would never be parked.
         */
        void release(Instant ready, Set<EventName> events, long last) {
            boolean asItWas = last == leasedAtSeq && events.isEmpty();
            giveBack(ready);
            wakeOn = events;
            lapses = asItWas ? lapses : 0;
        }
    }
}
