package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Lease;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit.Definition;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.core.store.RunCommit.StartOptions;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.RunSnapshot.RunMessage;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowId;
import io.perdure.sdk.json.Json;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How runs begin. */
abstract class StartContract extends StoreFixture {
    StartContract(StoreFactory factory) {
        super(factory);
    }

    @Test
    final void aStartMakesARunningRunWithOneMessageThatIsDue() {
        Start start = newRun().start();

        assertThat(commit(start)).isEqualTo(new Outcome.Started(NOON, null));

        RunSnapshot snapshot = snapshot(start.run());
        assertThat(snapshot.run().status()).isEqualTo(RunStatus.RUNNING);
        assertThat(snapshot.run().startedAt()).isEqualTo(NOON);
        assertThat(snapshot.run().completedAt()).isNull();
        assertThat(snapshot.run().wakes()).isZero();
        assertThat(snapshot.mailbox()).isEmpty();
        assertThat(snapshot.message()).isEqualTo(new RunMessage(QueueName.ofRuns(WORKFLOW, 1), NOON, false, Set.of()));
    }

    @Test
    final void theHistoryBeginsWithRunCreatedAtNumberNought() {
        Start start = newRun().key("k").workflowId("w").start();
        commit(start);

        Event created = new Event.RunCreated(
                WORKFLOW,
                1,
                RunKind.CODE,
                start.definition().input(),
                Map.of(),
                new IdempotencyKey("k"),
                new WorkflowId("w"),
                null,
                Map.of());
        assertThat(snapshot(start.run()).history()).containsExactly(new Recorded(0, NOON, null, created));
    }

    @Test
    final void everythingThatTheStartSaidIsKept() {
        RunId parent = started();
        Definition definition = new Definition(
                WORKFLOW, 7, RunKind.STEP_FLOW, Json.of("[1]"), Map.of("total", Json.of("1.50"), "none", Json.NULL));
        StartOptions options = new StartOptions(
                new IdempotencyKey("ключ"),
                new WorkflowId("order 42"),
                Due.in(HOUR),
                Map.of("region", "eu", "émoji", "🦀"),
                77,
                parent);
        Start start = new Start(TENANT, ids.runId(), definition, Due.atOnce(), null, options);
        expect(Outcome.Started.class, start);

        assertThat(row(start.run()))
                .isEqualTo(new RunRow(
                        TENANT,
                        start.run(),
                        definition,
                        7,
                        RunStatus.RUNNING,
                        null,
                        null,
                        options.idempotencyKey(),
                        options.workflowId(),
                        parent,
                        options.tags(),
                        77,
                        0,
                        NOON.plus(HOUR),
                        NOON,
                        null));
        assertThat(snapshot(start.run()).history().getFirst().event()).isEqualTo(start.created());
    }

    @Test
    final void aDelayedStartIsDueWhenItSays() {
        RunId run = started(newRun().ready(Due.in(HOUR)));
        assertThat(messageOf(run).readyAt()).isEqualTo(NOON.plus(HOUR));

        clock.move(HOUR.minus(MOMENT));
        assertThat(due()).isEmpty();
        clock.move(MOMENT);
        assertThat(due()).containsExactly(run);
    }

    @Test
    final void aStartAtATimeOfTheCalendarIsDueThen() {
        RunId run = started(newRun().ready(Due.at(NOON.plus(HOUR))));
        assertThat(due()).isEmpty();
        clock.move(HOUR);
        assertThat(due()).containsExactly(run);
    }

    @Test
    final void theStoreFixesTheDeadlineByItsOwnClock() {
        Start start = newRun().deadline(Due.in(HOUR)).start();
        assertThat(commit(start)).isEqualTo(new Outcome.Started(NOON, NOON.plus(HOUR)));
        assertThat(row(start.run()).deadline()).isEqualTo(NOON.plus(HOUR));
    }

    @Test
    final void aRunIsDueAtItsDeadlineWhereThatIsEarlier() {
        RunId run = started(newRun().ready(Due.in(HOUR)).deadline(Due.in(MINUTE)));
        assertThat(messageOf(run).readyAt()).isEqualTo(NOON.plus(MINUTE));
        clock.move(MINUTE);
        assertThat(due()).containsExactly(run);
    }

    @Test
    final void aRunThatIsHandedOverIsLeasedFromItsFirstMoment() {
        Lease lease = lease();
        RunId run = started(newRun().leased(lease));

        assertThat(messageOf(run).leased()).isTrue();
        assertThat(messageOf(run).readyAt()).isEqualTo(NOON.plus(LEASE));
        assertThat(due()).isEmpty();
        appended(new Holder(TENANT, run, lease.token()).appends(1, Events.step("a")));
    }

    @Test
    final void aHandOverWhoseLeaseRanOutIsALapse() {
        RunId run = startedAndHeld().run();
        clock.move(LEASE);
        var claimed = claim(1).getFirst();
        assertThat(claimed.run()).isEqualTo(run);
        assertThat(claimed.lapses()).isEqualTo(1);
    }

    @Test
    final void aRunWithoutAVersionWaitsInTheQueueWithoutOne() {
        RunId run = started(newRun().version(null));
        assertThat(messageOf(run).queue()).isEqualTo(QueueName.ofRuns(WORKFLOW, null));
        assertThat(row(run).version()).isNull();
    }

    @Test
    final void aRunIdInUseIsAConflictThatTellsTheLastNumber() {
        Holder holder = startedAndHeld();
        appended(holder.appends(1, Events.step("a"), Events.step("b")));

        Start again = new NewRun(TENANT, holder.run()).key("k").start();
        assertThat(commit(again)).isEqualTo(new Outcome.Conflict(2));
        assertThat(store.runOf(TENANT, WORKFLOW, new IdempotencyKey("k"))).isEmpty();
        assertThat(snapshot(holder.run()).history()).hasSize(3);
    }

    @Test
    final void aStartRepeatedToTheLetterAnswersWithItself() {
        Start start = newRun().key("k").start();
        expect(Outcome.Started.class, start);
        clock.move(Duration.ofDays(1));
        assertThat(commit(start))
                .isEqualTo(new Outcome.Duplicate(start.run(), RunStatus.RUNNING, Outcome.Key.IDEMPOTENCY_KEY));
    }

    @Test
    final void aRunMayBearTheIdOfAMessage() {
        createQueue();
        MessageId id = sent();
        RunId run = started(new NewRun(TENANT, new RunId(id.value())));

        appended(claimOnly().appends(1, Events.completed("1")));
        assertThat(row(run).status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(received(1)).containsExactly(id);
    }
}
