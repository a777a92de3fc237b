package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Receive;
import io.perdure.core.store.RunSnapshot;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.run.RunCount;
import io.perdure.testkit.StoreFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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
}
