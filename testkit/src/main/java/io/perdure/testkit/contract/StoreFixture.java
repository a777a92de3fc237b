package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Batch;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Lease;
import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Outcome.Appended;
import io.perdure.core.store.QueueCommit.Create;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunCommit.Intervene;
import io.perdure.core.store.RunCommit.Signal;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.Store;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.Ids;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.worker.Claim.Served;
import io.perdure.testkit.StoreFactory;
import io.perdure.testkit.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;

/** A fresh store, a clock to move, one lane, and the short words that let each test say its rule in a few lines. */
abstract class StoreFixture {
    static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    static final TenantId TENANT = new TenantId("acme");
    static final TenantId OTHER_TENANT = new TenantId("globex");
    static final WorkflowName WORKFLOW = new WorkflowName("onboard");
    static final WorkflowName OTHER_WORKFLOW = new WorkflowName("billing");
    static final QueueName QUEUE = new QueueName("mail");
    static final QueueName OTHER_QUEUE = new QueueName("post");
    static final Duration LEASE = Duration.ofSeconds(10);
    static final Duration MOMENT = Duration.of(1, ChronoUnit.MICROS);
    static final Duration MINUTE = Duration.ofMinutes(1);
    static final Duration HOUR = Duration.ofHours(1);

    final VirtualClock clock = new VirtualClock(NOON);
    final Ids ids = new Ids(clock, new SplittableRandom(42));
    final Store store;
    private final Lane lane;

    StoreFixture(StoreFactory factory, Limits limits) {
        store = factory.open(clock, limits);
        lane = Lane.open(store, ids.processId());
    }

    StoreFixture(StoreFactory factory) {
        this(factory, Limits.defaults());
    }

    @AfterEach
    final void close() {
        store.close();
    }

    final Lane newLane() {
        return Lane.open(store, ids.processId());
    }

    final Outcome commit(Commit commit) {
        return lane.send(commit).getFirst();
    }

    final List<Outcome> commitTogether(Commit... commits) {
        return lane.send(commits);
    }

    /** The next batch of the lane, not yet sent. */
    final Batch next(Commit... commits) {
        return lane.next(commits);
    }

    final <T extends Outcome> T expect(Class<T> kind, Commit commit) {
        Outcome outcome = commit(commit);
        assertThat(outcome).as("outcome of %s", commit).isInstanceOf(kind);
        return kind.cast(outcome);
    }

    final List<Recorded> appended(Commit commit) {
        return expect(Appended.class, commit).events();
    }

    final void refused(Refusal why, Commit commit) {
        assertThat(expect(Outcome.Refused.class, commit).why()).isEqualTo(why);
    }

    final void leaseLost(Commit commit) {
        expect(Outcome.LeaseLost.class, commit);
    }

    final Lease lease() {
        return new Lease(ids.token(), LEASE);
    }

    // Runs

    final NewRun newRun() {
        return new NewRun(TENANT, ids.runId());
    }

    final NewRun newRun(TenantId tenant) {
        return new NewRun(tenant, ids.runId());
    }

    final RunId started(NewRun run) {
        var start = run.start();
        expect(Outcome.Started.class, start);
        return start.run();
    }

    final RunId started() {
        return started(newRun());
    }

    /** Starts a run that is leased from its first moment, and answers its holder. */
    final Holder startedAndHeld(NewRun run) {
        Lease lease = lease();
        return new Holder(TENANT, started(run.leased(lease)), lease.token());
    }

    final Holder startedAndHeld() {
        return startedAndHeld(newRun());
    }

    /** Starts a run that now waits for an event, for ever. */
    final RunId suspendedOn(EventName event) {
        Holder holder = startedAndHeld();
        appended(holder.suspends(1, 0, event));
        return holder.run();
    }

    /** Starts a run and brings it to its end with this event. */
    final RunId ended(NewRun run, Event end) {
        Holder holder = startedAndHeld(run);
        appended(holder.appends(1, end));
        return holder.run();
    }

    final List<ClaimedRun> claim(int max) {
        return claim(max, lease());
    }

    final List<ClaimedRun> claim(int max, Lease lease) {
        return store.claim(new ClaimRuns(TENANT, List.of(new Served(WORKFLOW, Set.of(1))), max, lease))
                .runs();
    }

    /** Claims the only run that is due, and answers its holder. */
    final Holder claimOnly() {
        List<ClaimedRun> claimed = claim(10);
        assertThat(claimed).as("the only run that is due").hasSize(1);
        return Holder.of(TENANT, claimed.getFirst());
    }

    final List<RunId> due() {
        return claim(1_000).stream().map(ClaimedRun::run).toList();
    }

    static Intervene intervene(RunId run, Event event) {
        return new Intervene(TENANT, run, event);
    }

    static Signal signal(RunId run, EventName event) {
        return new Signal(TENANT, run, event, Json.NULL, null);
    }

    final RunSnapshot snapshot(RunId run) {
        List<RunSnapshot> found = store.snapshots(TENANT, List.of(run));
        assertThat(found).as("snapshot of %s", run).hasSize(1);
        return found.getFirst();
    }

    final RunRow row(RunId run) {
        return store.run(TENANT, run).orElseThrow();
    }

    final RunSnapshot.RunMessage messageOf(RunId run) {
        RunSnapshot.RunMessage message = snapshot(run).message();
        assertThat(message).as("message of run %s", run).isNotNull();
        return Objects.requireNonNull(message);
    }

    // Messages

    final void createQueue(QueueName queue, QueueSettings settings) {
        expect(Outcome.Changed.class, new Create(TENANT, queue, settings));
    }

    final void createQueue() {
        createQueue(QUEUE, QueueSettings.defaults());
    }

    final NewMail newMail() {
        return new NewMail(ids.messageId());
    }

    final MessageId sent(NewMail mail) {
        Outcome.Sent sent = expect(Outcome.Sent.class, mail.send(TENANT));
        assertThat(sent.messages()).hasSize(1);
        return sent.messages().getFirst().id();
    }

    final MessageId sent() {
        return sent(newMail());
    }

    final Send sendAll(NewMail... mails) {
        return new Send(TENANT, Stream.of(mails).map(NewMail::message).toList());
    }

    final List<Delivery> receive(QueueName queue, int max) {
        return store.receive(new Receive(TENANT, queue, max, lease())).deliveries();
    }

    final List<Delivery> receive(int max) {
        return receive(QUEUE, max);
    }

    /** Receives the only message that can be delivered. */
    final Delivery receiveOnly() {
        return receiveOnly(QUEUE);
    }

    final Delivery receiveOnly(QueueName queue) {
        List<Delivery> deliveries = receive(queue, 10);
        assertThat(deliveries).as("the only message that can be delivered").hasSize(1);
        return deliveries.getFirst();
    }

    final List<MessageId> received(int max) {
        return receive(max).stream().map(delivery -> delivery.message().id()).toList();
    }

    static Settle settle(Delivery delivery, Verdict verdict) {
        return new Settle(TENANT, delivery.receipt(), verdict);
    }

    static Settle done(Delivery delivery) {
        return settle(delivery, new Verdict.Done());
    }

    static Settle retry(Delivery delivery, Duration delay) {
        return settle(delivery, new Verdict.Retry(delay, "not now"));
    }

    static Settle reject(Delivery delivery) {
        return settle(delivery, new Verdict.Reject("never"));
    }

    final Fate fate(Settle settle) {
        return expect(Outcome.Settled.class, settle).fate();
    }

    /** Puts a message into the dead letters of the usual queue. */
    final MessageId deadLetter(NewMail mail) {
        MessageId id = sent(mail);
        assertThat(fate(reject(receiveOnly()))).isEqualTo(Fate.DEAD_LETTERED);
        return id;
    }

    final List<MessageRow> messages(QueueName queue) {
        return store.messages(new MessageQuery(TENANT, queue, false, null, 1_000));
    }

    final MessageRow message(QueueName queue, MessageId id) {
        return messages(queue).stream()
                .filter(row -> row.id().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
