package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.MailboxPage;
import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Receive;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.SizedSnapshots;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.run.RunCount;
import io.perdure.testkit.StoreFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What reads show, in which order, and that they change nothing. */
abstract class ReadContract extends StoreFixture {
    ReadContract(StoreFactory factory) {
        super(factory);
    }

    @Test
    final void snapshotsAreOfTheRunsThatAreThere() {
        RunId first = started();
        RunId second = started();
        assertThat(store.snapshots(TENANT, List.of(second, ids.runId(), first)))
                .extracting(snapshot -> snapshot.run().id())
                .containsExactlyInAnyOrder(first, second);
        assertThat(store.snapshots(TENANT, List.of())).isEmpty();
    }

    @Test
    final void aRunReadAloneIsTheRunOfItsSnapshot() {
        RunId run = ended(newRun().key("k"), Events.failed());
        assertThat(store.run(TENANT, run)).contains(snapshot(run).run());
        assertThat(store.run(TENANT, ids.runId())).isEmpty();
    }

    @Test
    final void everyReadOfAHistoryIsTheBeginningOfEveryLaterOne() {
        Holder holder = startedAndHeld();
        List<List<Recorded>> reads = new ArrayList<>();
        reads.add(snapshot(holder.run()).history());
        appended(holder.appends(1, Events.step("a")));
        reads.add(snapshot(holder.run()).history());
        appended(holder.appends(2, Events.failed()));
        reads.add(snapshot(holder.run()).history());
        appended(intervene(holder.run(), Events.redriven()));
        reads.add(snapshot(holder.run()).history());
        for (int read = 1; read < reads.size(); read++) {
            assertThat(reads.get(read)).startsWith(reads.get(read - 1).toArray(new Recorded[0]));
        }
    }

    @Test
    final void theSnapshotThatWasReadDoesNotChange() {
        Holder holder = startedAndHeld();
        RunSnapshot before = snapshot(holder.run());
        appended(holder.appends(1, Events.step("a")));
        commit(signal(holder.run(), Events.VERIFY));
        assertThat(before.last()).isZero();
        assertThat(before.mailbox()).isEmpty();
    }

    @Test
    final void runsAreCountedByWorkflowAndStatus() {
        started();
        RunId second = started();
        ended(newRun(), Events.failed());
        ended(newRun().workflow(OTHER_WORKFLOW), Events.parked());
        assertThat(counts())
                .containsExactlyInAnyOrder(
                        new RunCount(WORKFLOW, RunStatus.RUNNING, 2),
                        new RunCount(WORKFLOW, RunStatus.FAILED, 1),
                        new RunCount(OTHER_WORKFLOW, RunStatus.PARKED, 1));

        appended(intervene(second, Events.cancelled()));
        assertThat(counts())
                .contains(new RunCount(WORKFLOW, RunStatus.RUNNING, 1), new RunCount(WORKFLOW, RunStatus.CANCELLED, 1));
    }

    private List<RunCount> counts() {
        return store.runCounts(TENANT).stream()
                .filter(count -> count.count() > 0)
                .toList();
    }

    @Test
    final void messagesAreListedByWhenTheyAreReadyInPages() {
        createQueue();
        MessageId late = sent(newMail().delay(HOUR));
        MessageId first = sent();
        MessageId early = sent(newMail().delay(MINUTE));
        List<MessageRow> page = store.messages(new MessageQuery(TENANT, QUEUE, false, null, 2));
        assertThat(page).extracting(MessageRow::id).containsExactly(first, early);
        var after = new MessageQuery.Cursor(page.getLast().readyAt(), early);
        assertThat(store.messages(new MessageQuery(TENANT, QUEUE, false, after, 2)))
                .extracting(MessageRow::id)
                .containsExactly(late);
    }

    @Test
    final void pagesOfMessagesThatAreReadyTogetherShowEachOnce() {
        createQueue();
        List<MessageId> all = new ArrayList<>();
        for (int message = 0; message < 7; message++) {
            all.add(sent());
        }
        List<MessageId> seen = new ArrayList<>();
        List<MessageRow> page = store.messages(new MessageQuery(TENANT, QUEUE, false, null, 2));
        while (!page.isEmpty()) {
            page.forEach(row -> seen.add(row.id()));
            var after = new MessageQuery.Cursor(
                    page.getLast().readyAt(), page.getLast().id());
            page = store.messages(new MessageQuery(TENANT, QUEUE, false, after, 2));
        }
        assertThat(seen).hasSize(7).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    final void theDeliverableMessagesAreThoseThatAReceiveCouldAnswerWith() {
        createQueue();
        MessageId held = sent();
        assertThat(received(1)).containsExactly(held);
        sent(newMail().delay(HOUR));
        MessageId head = sent(newMail().group("g"));
        sent(newMail().group("g"));
        MessageId plain = sent();
        assertThat(store.messages(new MessageQuery(TENANT, QUEUE, true, null, 10)))
                .extracting(MessageRow::id)
                .containsExactlyInAnyOrder(head, plain);
        assertThat(received(10)).containsExactlyInAnyOrder(head, plain);
    }

    @Test
    final void aMessageThatUsedUpItsDeliveriesIsAmongTheDeliverableAndGivenUpByAReceiveOfItAlone() {
        createQueue(QUEUE, QueueSettings.defaults().retries(0));
        MessageId id = sent();
        receiveOnly();
        clock.move(LEASE);
        assertThat(store.messages(new MessageQuery(TENANT, QUEUE, true, null, 10)))
                .extracting(MessageRow::id)
                .containsExactly(id);
        assertThat(store.receive(new Receive(TENANT, QUEUE, 10, lease(), Set.of(id)))
                        .deliveries())
                .isEmpty();
        assertThat(messages(QUEUE)).isEmpty();
        assertThat(message(QUEUE.deadLetters(), id).deadLetter()).isNotNull();
    }

    @Test
    final void lookingAtMessagesLeasesNone() {
        createQueue();
        MessageId id = sent();
        store.messages(new MessageQuery(TENANT, QUEUE, true, null, 10));
        assertThat(message(QUEUE, id).deliveries()).isZero();
        assertThat(received(1)).containsExactly(id);
    }

    @Test
    final void aHistoryIsReadInPages() {
        Holder holder = startedAndHeld();
        appended(holder.appends(1, Events.step("a"), Events.step("b"), Events.step("c")));
        List<Recorded> whole = snapshot(holder.run()).history();
        assertThat(store.history(TENANT, holder.run(), 0, 10)).isEqualTo(whole);
        assertThat(store.history(TENANT, holder.run(), 1, 2)).isEqualTo(whole.subList(1, 3));
        assertThat(store.history(TENANT, holder.run(), 4, 10)).isEmpty();
        assertThat(store.history(TENANT, ids.runId(), 0, 10)).isEmpty();
    }

    @Test
    final void aMessageIsPresentUntilNobodyCanGetItAnyMore() {
        createQueue();
        MessageId dead = deadLetter(newMail());
        MessageId waiting = sent(newMail().delay(HOUR));
        MessageId done = sent();
        var delivery = receiveOnly();
        assertThat(store.present(TENANT, List.of(dead, waiting, done, ids.messageId())))
                .containsExactlyInAnyOrder(dead, waiting, done);
        fate(done(delivery));
        assertThat(store.present(TENANT, List.of(done, dead, waiting))).containsExactlyInAnyOrder(dead, waiting);
        assertThat(store.present(OTHER_TENANT, List.of(dead, waiting))).isEmpty();
        assertThat(store.present(TENANT, List.of())).isEmpty();
    }

    @Test
    final void aRunIsNoMessage() {
        assertThat(store.present(TENANT, List.of(MessageId.of(started())))).isEmpty();
    }

    private static Json text(int bytes) {
        return Json.of('"' + "x".repeat(bytes) + '"');
    }

    private static Event step(String name, int bytes) {
        return new Event.StepCompleted(new StepName(name), text(bytes), Instant.EPOCH);
    }

    private void signalled(RunId run, String event, int bytes) {
        expect(Outcome.Signalled.class, new RunCommit.Signal(TENANT, run, new EventName(event), text(bytes), null));
    }

    /** A run whose history has about the given number of bytes. */
    private RunId startedWith(int bytes) {
        Holder holder = startedAndHeld();
        appended(holder.appends(1, step("large", bytes)));
        return holder.run();
    }

    @Test
    final void snapshots_withinABoundOfBytes_areOfTheRunsThatFitInTheOrderAsked() {
        RunId small = started();
        RunId large = startedWith(100_000);
        RunId other = startedWith(60_000);
        RunId absent = ids.runId();

        SizedSnapshots all = store.snapshots(TENANT, List.of(small, large, other, absent), 300_000);
        assertThat(all.read()).isEqualTo(store.snapshots(TENANT, List.of(small, large, other)));
        assertThat(all.bytes()).containsOnlyKeys(small, large, other);
        assertThat(all.unread()).isEmpty();

        SizedSnapshots some = store.snapshots(TENANT, List.of(small, other, large, absent), 110_000);
        assertThat(some.read()).extracting(snapshot -> snapshot.run().id()).containsExactly(small, other);
        assertThat(some.unread()).containsOnlyKeys(large);
        assertThat(some.bytes().get(large)).isBetween(100_000L, 102_000L);
        assertThat(some.bytes().get(other)).isBetween(60_000L, 62_000L);

        assertThat(store.snapshots(TENANT, List.of(large, other, small), 110_000)
                        .read())
                .extracting(snapshot -> snapshot.run().id())
                .containsExactly(large, small);
    }

    @Test
    final void snapshots_ofLongHistoriesWithinABound_areWholeOrNotThere() {
        Holder holder = startedAndHeld();
        int events = 900;
        for (int batch = 0; batch < 5; batch++) {
            Event[] some = IntStream.range(batch * events, (batch + 1) * events)
                    .mapToObj(step -> Events.step("s" + step))
                    .toArray(Event[]::new);
            appended(holder.appends(1 + batch * (long) events, some));
        }
        RunId small = started();

        SizedSnapshots all = store.snapshots(TENANT, List.of(small, holder.run()), 10_000_000);
        assertThat(all.read()).isEqualTo(store.snapshots(TENANT, List.of(small, holder.run())));
        assertThat(all.read().getLast().history()).hasSize(5 * events + 1);
        SizedSnapshots some = store.snapshots(TENANT, List.of(holder.run(), small), 20_000);
        assertThat(some.read()).extracting(snapshot -> snapshot.run().id()).containsExactly(small);
        assertThat(some.unread()).containsOnlyKeys(holder.run());
    }

    @Test
    final void snapshots_withinABoundOfBytes_countWaitingSignalsAndInputs() {
        RunId signalled = started();
        signalled(signalled, "large", 100_000);
        RunId given = started(newRun().input(text(100_000).text()));

        SizedSnapshots none = store.snapshots(TENANT, List.of(signalled, given), 50_000);
        assertThat(none.read()).isEmpty();
        assertThat(none.unread()).containsOnlyKeys(signalled, given);
        SizedSnapshots both = store.snapshots(TENANT, List.of(signalled, given), 250_000);
        assertThat(both.read()).isEqualTo(store.snapshots(TENANT, List.of(signalled, given)));
    }

    @Test
    final void history_withinABoundOfBytes_hasOneEventAtLeast() {
        Holder holder = startedAndHeld();
        for (int step = 1; step <= 4; step++) {
            appended(holder.appends(step, step("s" + step, 10_000)));
        }
        RunId run = holder.run();
        assertThat(store.history(TENANT, run, 1, 10, 25_000))
                .extracting(Recorded::seq)
                .containsExactly(1L, 2L);
        assertThat(store.history(TENANT, run, 3, 10, 25_000))
                .extracting(Recorded::seq)
                .containsExactly(3L, 4L);
        assertThat(store.history(TENANT, run, 2, 10, 1))
                .extracting(Recorded::seq)
                .containsExactly(2L);
        assertThat(store.history(TENANT, run, 0, 10, 1))
                .extracting(Recorded::seq)
                .containsExactly(0L);
        assertThat(store.history(TENANT, run, 0, 2, 100_000)).hasSize(2);
        assertThat(store.history(TENANT, run, 5, 10, 1)).isEmpty();
    }

    @Test
    final void mailbox_withinABoundOfBytes_isReadInPages() {
        RunId run = started();
        for (int letter = 1; letter <= 3; letter++) {
            signalled(run, "e" + letter, 10_000);
        }
        MailboxPage all = store.mailbox(TENANT, run, 0, 100_000).orElseThrow();
        assertThat(all).isEqualTo(new MailboxPage(3, snapshot(run).mailbox(), false));
        MailboxPage first = store.mailbox(TENANT, run, 0, 25_000).orElseThrow();
        assertThat(first).isEqualTo(new MailboxPage(3, all.entries().subList(0, 2), true));
        assertThat(store.mailbox(TENANT, run, 3, 1))
                .contains(new MailboxPage(3, all.entries().subList(2, 3), false));
        assertThat(store.mailbox(TENANT, run, 4, 1)).contains(new MailboxPage(3, List.of(), false));
        assertThat(store.mailbox(TENANT, ids.runId(), 0, 1)).isEmpty();
    }
}
