package io.perdure.testkit.invariant;

import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.Lease;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunCommit.StartOptions;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.DeadLetter;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.QueueFigures;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.SentMessage;
import io.perdure.sdk.worker.Release;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes traces by hand: one run, one queue, the facts in the order a test tells them. */
final class Scene {
    static final TenantId ACME = new TenantId("acme");
    static final TenantId ZETA = new TenantId("zeta");
    static final RunId RUN = new RunId(new UUID(7, 1));
    static final RunId OTHER_RUN = new RunId(new UUID(7, 2));
    static final UUID TOKEN = new UUID(9, 1);
    static final UUID OTHER_TOKEN = new UUID(9, 2);
    static final QueueName JOBS = new QueueName("jobs");
    static final GroupKey GROUP = new GroupKey("g1");
    static final EventName GO = new EventName("go");
    static final WorkflowName FLOW = new WorkflowName("flow");
    static final Duration LEASE = Duration.ofSeconds(10);
    static final StartOptions PLAIN = new StartOptions(null, null, Due.never(), Map.of(), 1, null);
    static final Release AT_ONCE = Release.until(Due.atOnce());

    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private final Trace.Recorder recorder = new Trace.Recorder(Duration.ZERO);
    private Instant now = START;
    private long number;
    private String observer = "worker";

    Instant now() {
        return now;
    }

    Scene by(String name) {
        observer = name;
        return this;
    }

    Scene after(Duration time) {
        now = now.plus(time);
        return this;
    }

    Scene note(Fact fact) {
        recorder.note(recorder.position(), now, observer, fact);
        return this;
    }

    Trace trace() {
        return recorder.trace();
    }

    List<Violation> judgedBy(Invariant invariant) {
        return invariant.check(trace());
    }

    CommitRef ask(Commit commit) {
        CommitRef ref = new CommitRef("lane", ++number, 0);
        note(new Fact.Asked(ref, commit));
        return ref;
    }

    Scene commit(Commit commit, Outcome outcome) {
        note(new Fact.Answered(ask(commit), commit, outcome));
        return this;
    }

    Scene start(RunId run, StartOptions options) {
        return commit(startOf(run, options, Due.atOnce()), new Outcome.Started(now, null));
    }

    Scene start() {
        return start(RUN, PLAIN);
    }

    static RunCommit.Start startOf(RunId run, StartOptions options, Due ready) {
        return new RunCommit.Start(
                ACME,
                run,
                new RunCommit.Definition(FLOW, 1, RunKind.CODE, Json.number(1), Map.of()),
                ready,
                null,
                options);
    }

    Scene claim(UUID token) {
        Lease lease = new Lease(token, LEASE);
        return note(new Fact.RunClaimed(
                ACME, new ClaimedRun(RUN, FLOW, 1, new Receipt(MessageId.of(RUN), token), 0, now.plus(LEASE)), lease));
    }

    Scene extend(UUID token, Extended answer) {
        return note(new Fact.LeaseExtended(new Extend(ACME, new Receipt(MessageId.of(RUN), token), LEASE), answer));
    }

    Scene step(String step, int attempt, int allowed) {
        return note(new Fact.StepRan(ACME, RUN, new StepName(step), 0, attempt, allowed));
    }

    static RunCommit.Advance advance(UUID token, long seq, @Nullable Release release, List<Event> events) {
        return new RunCommit.Advance(
                ACME, RUN, token, seq, events.stream().map(Draft::new).toList(), List.of(), release);
    }

    /** A worker's commit of one event, applied at this number. */
    Scene append(UUID token, long seq, Event event) {
        return commit(
                advance(token, seq, null, List.of(event)),
                new Outcome.Appended(List.of(at(seq, event)), SampleEvents.statusAfter(event)));
    }

    Scene intervene(long seq, Event event) {
        return commit(
                interveneWith(event), new Outcome.Appended(List.of(at(seq, event)), SampleEvents.statusAfter(event)));
    }

    static RunCommit.Intervene interveneWith(Event event) {
        return new RunCommit.Intervene(ACME, RUN, OptionalLong.empty(), List.of(new Draft(event)), Due.atOnce());
    }

    Scene signal(long signal, int payload) {
        return commit(
                new RunCommit.Signal(ACME, RUN, GO, Json.number(payload), null), new Outcome.Signalled(signal, true));
    }

    Recorded at(long seq, Event event) {
        return new Recorded(seq, now, null, event);
    }

    /** Events as recorded now, the creation first. */
    List<Recorded> history(Event... events) {
        List<Recorded> history = new ArrayList<>();
        history.add(at(0, SampleEvents.created()));
        for (Event event : events) {
            history.add(at(history.size(), event));
        }
        return history;
    }

    Scene read(RunStatus status, List<Recorded> history) {
        return read(snapshot(RUN, status, history, List.of()));
    }

    Scene read(RunSnapshot snapshot) {
        return note(new Fact.RunRead(ACME, snapshot));
    }

    RunSnapshot snapshot(RunId run, RunStatus status, List<Recorded> history, List<MailboxEntry> mailbox) {
        RunSnapshot.RunMessage message = new RunSnapshot.RunMessage(QueueName.ofRuns(FLOW, 1), now, false, Set.of());
        return new RunSnapshot(
                row(ACME, run, status, mailbox.size()), history, mailbox, status == RunStatus.RUNNING ? message : null);
    }

    RunRow row(TenantId tenant, RunId run, RunStatus status, long wakes) {
        return new RunRow(
                tenant,
                run,
                startOf(run, PLAIN, Due.atOnce()).definition(),
                1,
                status,
                null,
                null,
                null,
                null,
                null,
                Map.of(),
                1,
                wakes,
                null,
                START,
                status.isTerminal() ? now : null);
    }

    MailboxEntry mail(long signal, int payload) {
        return new MailboxEntry(signal, GO, Json.number(payload), now);
    }

    Scene queue(int retries, boolean deadLetters) {
        QueueSettings settings = QueueSettings.defaults().retries(retries).deadLetters(deadLetters);
        return commit(new QueueCommit.Create(ACME, JOBS, settings), new Outcome.Changed(1));
    }

    static MessageId message(int number) {
        return new MessageId(new UUID(8, number));
    }

    static NewMessage newMessage(int number, Duration delay) {
        return new NewMessage(message(number), JOBS, Json.number(number), Map.of(), delay, GROUP, null);
    }

    Scene send(int message, Duration delay) {
        return commit(
                new QueueCommit.Send(ACME, List.of(newMessage(message, delay))),
                new Outcome.Sent(List.of(new SentMessage(message(message), true))));
    }

    Scene send(int message) {
        return send(message, Duration.ZERO);
    }

    /** A delivery of a message, the so-manieth. */
    Scene deliver(int message, int delivery, UUID token) {
        return deliver(row(message, JOBS, delivery, 0, null), token);
    }

    Scene deliver(MessageRow row, UUID token) {
        return note(new Fact.MessageDelivered(
                ACME, new Delivery(new Receipt(row.id(), token), row), new Lease(token, LEASE)));
    }

    /** A receive of one message that nobody was answered. */
    Scene loseReceive() {
        return note(new Fact.ReceiveLost(new Receive(ACME, JOBS, 1, new Lease(TOKEN, LEASE))));
    }

    MessageRow row(int message, QueueName queue, int deliveries, int earlier, @Nullable DeadLetter deadLetter) {
        return new MessageRow(
                message(message),
                queue,
                Json.number(message),
                Map.of(),
                GROUP,
                message,
                START,
                now.plus(LEASE),
                START.plus(Duration.ofDays(4)),
                true,
                deliveries,
                earlier,
                null,
                null,
                null,
                deadLetter);
    }

    Scene settle(int message, UUID token, Verdict verdict, Outcome outcome) {
        return commit(new QueueCommit.Settle(ACME, new Receipt(message(message), token), verdict), outcome);
    }

    Scene done(int message, UUID token) {
        return settle(message, token, new Verdict.Done(), new Outcome.Settled(Fate.DONE));
    }

    Scene lastLook() {
        return note(new Fact.FaultsStopped()).note(new Fact.LastLook());
    }

    /** A queue that holds these messages and has taken in so many. */
    Scene holds(QueueName queue, long in, MessageRow... rows) {
        QueueFigures figures = new QueueFigures(0, 0, rows.length, null, in, in - rows.length, 0, 0, 0);
        return note(new Fact.QueueRead(ACME, queue, List.of(rows), figures));
    }
}
