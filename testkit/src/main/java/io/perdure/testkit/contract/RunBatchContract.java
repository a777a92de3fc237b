package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Commit;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.core.store.RunSnapshot;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.RunCount;
import io.perdure.sdk.worker.Release;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Commits of the same run, and of many runs, in one batch: a store that gathers rows must not show it. */
abstract class RunBatchContract extends StoreFixture {
    RunBatchContract(StoreFactory factory) {
        super(factory);
    }

    @Test
    final void aWholeRunFitsIntoOneBatch() {
        Lease lease = lease();
        Start start = newRun().leased(lease).start();
        Holder holder = new Holder(TENANT, start.run(), lease.token());
        List<Outcome> outcomes = commitTogether(
                start,
                holder.appends(1, Events.step("a")),
                holder.appends(2, Events.step("b")),
                holder.appends(3, Events.step("c"), Events.completed("7")));

        assertThat(outcomes).allMatch(outcome -> outcome instanceof Outcome.Applied);
        RunSnapshot run = snapshot(start.run());
        assertThat(run.history()).extracting(Recorded::seq).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(run.run().status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(run.run().output()).isEqualTo(Json.of("7"));
        assertThat(run.run().completedAt()).isEqualTo(NOON);
        assertThat(run.message()).isNull();
        assertThat(store.runCounts(TENANT)).containsExactly(new RunCount(WORKFLOW, RunStatus.COMPLETED, 1));
    }

    @Test
    final void anAppendAtTheNextNumberSeesTheOneBeforeIt() {
        Holder holder = startedAndHeld();
        assertThat(commitTogether(
                                holder.appends(1, Events.step("a"), Events.step("b")),
                                holder.appends(2, Events.step("late")),
                                holder.appends(4, Events.step("early")),
                                holder.appends(3, Events.step("c")))
                        .subList(1, 3))
                .containsExactly(new Outcome.Conflict(2), new Outcome.Conflict(2));
        assertThat(snapshot(holder.run()).last()).isEqualTo(3);
    }

    @Test
    final void aStrangerThatLosesDoesNotHoldTheHolderUp() {
        Holder holder = startedAndHeld();
        Holder stranger = new Holder(TENANT, holder.run(), ids.token());
        List<Outcome> outcomes = commitTogether(
                holder.appends(1, Events.step("a")),
                stranger.appends(2, Events.step("x")),
                holder.appends(2, Events.step("b")),
                stranger.appends(3, Events.completed("1")),
                holder.appends(3, Events.completed("2")));
        assertThat(outcomes)
                .hasExactlyElementsOfTypes(
                        Outcome.Appended.class,
                        Outcome.LeaseLost.class,
                        Outcome.Appended.class,
                        Outcome.LeaseLost.class,
                        Outcome.Appended.class);
        assertThat(row(holder.run()).output()).isEqualTo(Json.of("2"));
    }

    @Test
    final void whoLetGoInTheBatchHasLostTheLease() {
        Holder sleeper = startedAndHeld();
        Holder ended = startedAndHeld();
        List<Outcome> outcomes = commitTogether(
                sleeper.sleeps(1, MINUTE),
                ended.appends(1, Events.completed("1")),
                sleeper.appends(2, Events.step("b")),
                ended.appends(2, Events.step("b")));
        assertThat(outcomes.get(2)).isEqualTo(new Outcome.LeaseLost(RunStatus.RUNNING));
        assertThat(outcomes.get(3)).isEqualTo(new Outcome.LeaseLost(RunStatus.COMPLETED));
        assertThat(messageOf(sleeper.run()).readyAt()).isEqualTo(NOON.plus(MINUTE));
    }

    @Test
    final void aRunThatIsParkedAndResumedInTheBatchIsNoLongerHeld() {
        Holder holder = startedAndHeld();
        List<Outcome> outcomes = commitTogether(
                holder.appends(1, Events.step("a")),
                intervene(holder.run(), Events.parked()),
                holder.appends(3, Events.step("b")),
                intervene(holder.run(), Events.resumed()),
                holder.appends(4, Events.step("c")));
        assertThat(outcomes.get(2)).isEqualTo(new Outcome.LeaseLost(RunStatus.PARKED));
        assertThat(outcomes.get(4)).isEqualTo(new Outcome.LeaseLost(RunStatus.RUNNING));
        assertThat(claimOnly().run()).isEqualTo(holder.run());
    }

    @Test
    final void ofTwoStartsWithOneRunIdInOneBatchTheFirstWins() {
        Lease lease = lease();
        Start held = newRun().leased(lease).start();
        Start waiting = newRun().start();
        Holder holder = new Holder(TENANT, held.run(), lease.token());
        List<Outcome> outcomes =
                commitTogether(held, waiting, holder.appends(1, Events.step("a")), held, waiting, newRun().start());
        assertThat(outcomes.get(3)).isEqualTo(new Outcome.Conflict(1));
        assertThat(outcomes.get(4)).isEqualTo(new Outcome.Conflict(0));
        assertThat(outcomes.get(5)).isInstanceOf(Outcome.Started.class);
        assertThat(store.runCounts(TENANT)).containsExactly(new RunCount(WORKFLOW, RunStatus.RUNNING, 3));
    }

    @Test
    final void aRunIdThatIsInUseLeavesTheOthersOfTheBatchAlone() {
        RunId over = ended(newRun(), Events.completed("1"));
        Holder holder = startedAndHeld();
        Start again = new NewRun(TENANT, over).start();
        List<Outcome> outcomes = commitTogether(
                newRun().start(), holder.appends(1, Events.step("a")), again, holder.appends(2, Events.step("b")));
        assertThat(outcomes.get(2)).isEqualTo(new Outcome.Conflict(1));
        assertThat(snapshot(holder.run()).last()).isEqualTo(2);
        assertThat(row(over).status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(due()).hasSize(1);
    }

    @Test
    final void runsOfTwoTenantsWithOneIdDoNotMeet() {
        Lease mine = lease();
        Lease theirs = lease();
        RunId id = ids.runId();
        Holder here = new Holder(TENANT, id, mine.token());
        Holder there = new Holder(OTHER_TENANT, id, theirs.token());
        List<Outcome> outcomes = commitTogether(
                new NewRun(TENANT, id).leased(mine).start(),
                new NewRun(OTHER_TENANT, id).leased(theirs).start(),
                here.appends(1, Events.step("a")),
                there.appends(1, Events.step("b")),
                there.appends(2, Events.completed("1")),
                here.appends(2, Events.step("c")));
        assertThat(outcomes).allMatch(outcome -> outcome instanceof Outcome.Applied);
        assertThat(snapshot(id).history().getLast().event()).isEqualTo(Events.step("c"));
        assertThat(store.run(OTHER_TENANT, id).orElseThrow().output()).isEqualTo(Json.of("1"));
    }

    @Test
    final void letGoForATimeTheRunIsDueThenOrAtItsDeadline() {
        Holder first = startedAndHeld();
        Holder second = startedAndHeld();
        Holder hurried = startedAndHeld(newRun().deadline(Due.in(MINUTE)));
        Holder yielding = startedAndHeld();
        Release later = Release.until(Due.in(HOUR));
        commitTogether(
                first.releases(1, later, Events.step("a")),
                yielding.releases(1, Release.until(Due.atOnce())),
                hurried.releases(1, later, Events.step("a")),
                second.releases(1, later));
        assertThat(due()).containsExactly(yielding.run());
        clock.move(MINUTE);
        assertThat(due()).contains(hurried.run()).doesNotContain(first.run(), second.run());
        clock.move(HOUR);
        assertThat(due()).contains(first.run(), second.run());
    }

    /** More than any statement takes at a time, in an order that no two runs share. */
    @Test
    final void hundredsOfRunsInterleaveInOneBatch() {
        List<Holder> holders = new ArrayList<>();
        List<Commit> starts = new ArrayList<>();
        for (int number = 0; number < 300; number++) {
            Lease lease = lease();
            Start start = newRun().leased(lease).start();
            starts.add(start);
            holders.add(new Holder(TENANT, start.run(), lease.token()));
        }
        commitTogether(starts.toArray(Commit[]::new));
        List<Commit> steps = new ArrayList<>();
        for (int number = 0; number < holders.size(); number++) {
            Holder holder = holders.get(number);
            steps.add(
                    switch (number % 3) {
                        case 0 -> holder.appends(1, Events.step("a"), Events.completed(Integer.toString(number)));
                        case 1 -> holder.sleeps(1, Duration.ofSeconds(number % 7));
                        default -> holder.appends(1, Events.step("a"));
                    });
        }
        Collections.shuffle(steps, new Random(42));
        assertThat(commitTogether(steps.toArray(Commit[]::new)))
                .allMatch(outcome -> outcome instanceof Outcome.Appended);

        List<RunSnapshot> found =
                store.snapshots(TENANT, holders.stream().map(Holder::run).toList());
        assertThat(found)
                .extracting(run -> run.run().id())
                .isEqualTo(holders.stream().map(Holder::run).toList());
        for (int number = 0; number < found.size(); number++) {
            RunSnapshot run = found.get(number);
            boolean completed = number % 3 == 0;
            assertThat(run.last()).isEqualTo(completed ? 2 : 1);
            assertThat(run.run().output()).isEqualTo(completed ? Json.number(number) : null);
        }
        assertThat(store.runCounts(TENANT))
                .containsExactly(
                        new RunCount(WORKFLOW, RunStatus.RUNNING, 200),
                        new RunCount(WORKFLOW, RunStatus.COMPLETED, 100));
    }
}
