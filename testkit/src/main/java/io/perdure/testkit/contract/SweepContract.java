package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunCommit.Signal;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What goes in the end: rows that have served their time, and never any other. */
abstract class SweepContract extends SweepFixture {
    private static final Duration KEPT = Duration.ofDays(NewRun.RETENTION_DAYS);
    private static final Duration RETENTION = QueueSettings.defaults().retention();

    SweepContract(StoreFactory factory) {
        super(factory);
    }

    @Test
    final void anEndedRunGoesWhenItsRetentionIsOver() {
        RunId run = ended(newRun(), Events.completed("1"));
        clock.move(KEPT.minus(MOMENT));
        assertThat(sweep(Sweep.RETIRED_RUNS)).isZero();
        clock.move(MOMENT.multipliedBy(2));
        assertThat(sweep(Sweep.RETIRED_RUNS)).isEqualTo(1);
        assertThat(store.run(TENANT, run)).isEmpty();
        assertThat(store.snapshots(TENANT, List.of(run))).isEmpty();
        assertThat(store.runCounts(TENANT)).noneMatch(count -> count.count() > 0);
    }

    @Test
    final void runsThatAreRunningOrParkedAreNeverRemoved() {
        RunId running = started();
        RunId parked = ended(newRun(), Events.parked());
        RunId redriven = ended(newRun(), Events.failed());
        appended(intervene(redriven, Events.redriven()));
        clock.move(KEPT.multipliedBy(1_000));
        assertThat(sweep(Sweep.RETIRED_RUNS)).isZero();
        assertThat(store.snapshots(TENANT, List.of(running, parked, redriven))).hasSize(3);
    }

    @Test
    final void aRunThatEndedOnceAndRunsOrIsParkedAgainIsNeverRemoved() {
        RunId parked = ended(newRun(), Events.failed());
        appended(intervene(parked, Events.redriven()));
        appended(intervene(parked, Events.parked()));
        RunId resumed = ended(newRun(), Events.parked());
        appended(intervene(resumed, Events.resumed()));
        RunId gone = ended(newRun(), Events.failed());
        clock.move(KEPT.multipliedBy(1_000));
        RunId late = ended(newRun(), Events.failed());
        clock.move(KEPT.plus(MOMENT));
        appended(intervene(late, Events.redriven()));
        assertThat(sweep(Sweep.RETIRED_RUNS)).isEqualTo(1);
        assertThat(store.run(TENANT, gone)).isEmpty();
        assertThat(store.snapshots(TENANT, List.of(parked, resumed, late))).hasSize(3);
        appended(intervene(late, Events.cancelled()));
        clock.move(KEPT);
        assertThat(sweep(Sweep.RETIRED_RUNS)).isZero();
        clock.move(MOMENT);
        assertThat(sweep(Sweep.RETIRED_RUNS)).isEqualTo(1);
        assertThat(store.snapshots(TENANT, List.of(parked, resumed))).hasSize(2);
    }

    @Test
    final void retentionCountsFromTheEndOfTheRun() {
        Holder holder = startedAndHeld();
        clock.move(KEPT);
        appended(holder.appends(1, Events.completed("1")));
        clock.move(KEPT.minus(MOMENT));
        assertThat(sweep(Sweep.RETIRED_RUNS)).isZero();
    }

    @Test
    final void theKeysOfARunGoWithIt() {
        ended(newRun().key("k").input("1"), Events.completed("1"));
        clock.move(KEPT.plus(MOMENT));
        refused(Refusal.KEY_REUSED, newRun().key("k").input("2").start());
        sweep(Sweep.RETIRED_RUNS);
        assertThat(store.runOf(TENANT, WORKFLOW, new IdempotencyKey("k"))).isEmpty();
        started(newRun().key("k").input("2"));
    }

    @Test
    final void aRunThatIsRemovedLeavesTheWorkflowIdToItsHolder() {
        ended(newRun().workflowId("w"), Events.failed());
        RunId holder = started(newRun().workflowId("w"));
        clock.move(KEPT.plus(MOMENT));
        assertThat(sweep(Sweep.RETIRED_RUNS)).isEqualTo(1);
        assertThat(commit(newRun().workflowId("w").start()))
                .isEqualTo(new Outcome.Duplicate(holder, RunStatus.RUNNING, Outcome.Key.WORKFLOW_ID));
    }

    @Test
    final void aRunThatIsRemovedLeavesTheKeysOfTheMessageWithItsIdAlone() {
        createQueue();
        RunId run = ended(newRun(), Events.completed("1"));
        clock.move(KEPT);
        MessageId id = MessageId.of(run);
        sent(new NewMail(id).deduplicationId("d"));
        clock.move(MOMENT);
        assertThat(sweep(Sweep.RETIRED_RUNS)).isEqualTo(1);
        assertThat(sent(newMail().deduplicationId("d"))).isEqualTo(id);
    }

    @Test
    final void aRunThatIsRemovedIsUnknownToEveryCommit() {
        Holder holder = startedAndHeld();
        appended(holder.appends(1, Events.failed()));
        clock.move(KEPT.plus(MOMENT));
        sweep(Sweep.RETIRED_RUNS);
        refused(Refusal.NO_SUCH_RUN, holder.appends(2, Events.step("a")));
        refused(Refusal.NO_SUCH_RUN, intervene(holder.run(), Events.redriven()));
        refused(Refusal.NO_SUCH_RUN, signal(holder.run(), Events.VERIFY));
    }

    @Test
    final void aSweepOfRunsRemovesNoMoreThanItsLimit() {
        for (Event end : List.of(Events.completed("1"), Events.failed(), Events.cancelled())) {
            ended(newRun(), end);
        }
        clock.move(KEPT.plus(MOMENT));
        assertThat(sweepOneByOne(Sweep.RETIRED_RUNS)).isEqualTo(3);
    }

    @Test
    final void retentionCountsFromWhenAMessageIsReady() {
        createQueue(QUEUE, new QueueSettings(MINUTE, 3, true, MINUTE, HOUR, HOUR.multipliedBy(3)));
        MessageId late = sent(newMail().delay(HOUR.multipliedBy(2)));
        clock.move(HOUR.multipliedBy(2));
        assertThat(sweep(Sweep.EXPIRED_MESSAGES)).isZero();
        Delivery delivery = receiveOnly(QUEUE);
        assertThat(delivery.message().id()).isEqualTo(late);
        commit(new Settle(TENANT, delivery.receipt(), new Verdict.Retry(HOUR, "not yet")));
        clock.move(HOUR);
        assertThat(sweep(Sweep.EXPIRED_MESSAGES)).isZero();
        assertThat(received(1)).containsExactly(late);
    }

    @Test
    final void aMessageGoesWhenItsRetentionIsOver() {
        createQueue();
        sent();
        sent();
        clock.move(RETENTION.minus(MOMENT));
        assertThat(sweep(Sweep.EXPIRED_MESSAGES)).isZero();
        clock.move(MOMENT.multipliedBy(2));
        assertThat(sweep(Sweep.EXPIRED_MESSAGES)).isEqualTo(2);
        assertThat(messages(QUEUE)).isEmpty();
        var figures = store.figures(TENANT, QUEUE).orElseThrow();
        assertThat(figures.expired()).isEqualTo(2);
        assertThat(figures.in()).isEqualTo(2);
    }

    @Test
    final void aMessageWithItsReceiverIsNotRemoved() {
        createQueue();
        sent();
        clock.move(RETENTION.minus(MOMENT));
        var delivery = receiveOnly();
        clock.move(MOMENT.multipliedBy(2));
        assertThat(sweep(Sweep.EXPIRED_MESSAGES)).isZero();
        fate(done(delivery));
    }

    @Test
    final void aDeadLetterGoesWhenItsOwnRetentionIsOver() {
        createQueue();
        clock.move(HOUR);
        deadLetter(newMail());
        clock.move(QueueSettings.defaults().deadLetterRetention().minus(MOMENT));
        assertThat(sweep(Sweep.EXPIRED_MESSAGES)).isZero();
        clock.move(MOMENT.multipliedBy(2));
        assertThat(sweep(Sweep.EXPIRED_MESSAGES)).isEqualTo(1);
        assertThat(store.figures(TENANT, QUEUE.deadLetters()).orElseThrow().expired())
                .isEqualTo(1);
    }

    @Test
    final void aSweepOfMessagesRemovesNoMoreThanItsLimit() {
        createQueue();
        sent();
        sent(newMail().group("g"));
        sent(newMail().group("g"));
        clock.move(RETENTION.plus(MOMENT));
        assertThat(sweepOneByOne(Sweep.EXPIRED_MESSAGES)).isEqualTo(3);
    }

    @Test
    final void messagesOfRunsNeverExpire() {
        RunId run = suspendedOn(Events.VERIFY);
        clock.move(RETENTION.multipliedBy(100));
        assertThat(sweep(Sweep.EXPIRED_MESSAGES)).isZero();
        commit(signal(run, Events.VERIFY));
        assertThat(due()).containsExactly(run);
    }

    @Test
    final void deduplicationIdsGoWhenTheirWindowIsOver() {
        createQueue();
        sent(newMail().deduplicationId("a"));
        sent(newMail().deduplicationId("b"));
        Duration window = Limits.defaults().queues().deduplicationWindow();
        clock.move(window.minus(MOMENT));
        assertThat(sweep(Sweep.DEDUPLICATION_IDS)).isZero();
        clock.move(MOMENT.multipliedBy(2));
        assertThat(sweepOneByOne(Sweep.DEDUPLICATION_IDS)).isEqualTo(2);
    }

    @Test
    final void theKeysOfRunsAndSignalsAreNoDeduplicationIds() {
        RunId run = started(newRun().key("k").workflowId("w"));
        var signal = new Signal(TENANT, run, Events.VERIFY, Json.NULL, new DeduplicationId("d"));
        commit(signal);
        clock.move(Duration.ofDays(365));
        assertThat(sweep(Sweep.DEDUPLICATION_IDS)).isZero();
        assertThat(commit(signal)).isEqualTo(new Outcome.Signalled(1, false));
        assertThat(store.runOf(TENANT, WORKFLOW, new IdempotencyKey("k"))).contains(run);
    }

    @Test
    final void theRunThatHasBeenOverTheLongestGoesFirst() {
        RunId late = started();
        RunId early = ended(newRun(), Events.completed("1"));
        clock.move(MINUTE);
        appended(intervene(late, Events.cancelled()));
        clock.move(KEPT.plus(MOMENT));
        assertThat(store.sweep(Sweep.RETIRED_RUNS, 1)).isEqualTo(1);
        assertThat(store.run(TENANT, early)).isEmpty();
        assertThat(store.run(TENANT, late)).isPresent();
    }

    @Test
    final void theMessageThatHasBeenOverTheLongestGoesFirst() {
        createQueue();
        MessageId late = sent(newMail().delay(HOUR));
        MessageId later = sent(newMail().delay(HOUR));
        sent(newMail().delay(MINUTE));
        clock.move(HOUR.plus(RETENTION).plus(MOMENT));
        assertThat(store.sweep(Sweep.EXPIRED_MESSAGES, 1)).isEqualTo(1);
        assertThat(messages(QUEUE)).extracting(MessageRow::id).containsExactly(late, later);
    }
}
