package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.RunPage;
import io.perdure.core.store.RunQuery.Cursor;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.run.RunCount;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which runs a list shows, and in which order. */
abstract class ListContract extends ListFixture {
    ListContract(StoreFactory factory) {
        super(factory, Limits.defaults());
    }

    @Test
    final void runsAreListedNewestFirst() {
        RunId first = started();
        clock.move(MINUTE);
        RunId second = started();
        clock.move(MINUTE);
        RunId third = started();
        assertThat(listed(byStart())).containsExactly(third, second, first);
        assertThat(firstPage(byStart().atMost(2))).containsExactly(third, second);
        assertThat(store.runs(byStart().from(null)).runs()).contains(row(first));
    }

    @Test
    final void endedRunsAreListedByWhenTheyEnded() {
        Holder late = startedAndHeld();
        clock.move(MINUTE);
        RunId early = ended(newRun(), Events.completed("1"));
        started();
        ended(newRun(), Events.parked());
        clock.move(MINUTE);
        appended(late.appends(1, Events.failed()));
        assertThat(listed(byEnd())).containsExactly(late.run(), early);
    }

    @Test
    final void runsOfOneMomentAreListedByTheirIds() {
        List<RunId> runs = List.of(
                ended(newRun(), Events.failed()),
                ended(newRun().workflow(OTHER_WORKFLOW), Events.completed("1")),
                ended(newRun(), Events.cancelled()),
                ended(newRun().workflow(OTHER_WORKFLOW), Events.failed()),
                ended(newRun(), Events.completed("1")));
        List<RunId> greatestFirst =
                runs.stream().sorted((one, other) -> other.compareTo(one)).toList();
        for (int limit = 1; limit <= runs.size() + 1; limit++) {
            assertThat(listed(byStart().atMost(limit))).isEqualTo(greatestFirst);
            assertThat(listed(byEnd().atMost(limit))).isEqualTo(greatestFirst);
        }
    }

    @Test
    final void aListIsOfOneWorkflow() {
        RunId here = ended(newRun(), Events.completed("1"));
        RunId there = ended(newRun().workflow(OTHER_WORKFLOW), Events.completed("1"));
        RunId running = started(newRun().workflow(OTHER_WORKFLOW));
        assertThat(listed(byStart().of(WORKFLOW))).containsExactly(here);
        assertThat(listed(byStart().of(OTHER_WORKFLOW))).containsExactly(running, there);
        assertThat(listed(byEnd().of(OTHER_WORKFLOW))).containsExactly(there);
    }

    @Test
    final void aListIsOfOneStatus() {
        Map<RunStatus, RunId> runs = Map.of(
                RunStatus.RUNNING, started(),
                RunStatus.COMPLETED, ended(newRun(), Events.completed("1")),
                RunStatus.FAILED, ended(newRun(), Events.failed()),
                RunStatus.CANCELLED, ended(newRun(), Events.cancelled()),
                RunStatus.PARKED, ended(newRun(), Events.parked()));
        runs.forEach((status, run) -> {
            assertThat(listed(byStart().in(status))).as("%s", status).containsExactly(run);
            assertThat(listed(byStart().in(status).of(WORKFLOW))).containsExactly(run);
            assertThat(listed(byStart().in(status).of(OTHER_WORKFLOW))).isEmpty();
            assertThat(listed(byEnd().in(status))).isEqualTo(status.isTerminal() ? List.of(run) : List.of());
        });
    }

    @Test
    final void aListIsOfTheTimeThatItIsInOrderOf() {
        Holder first = startedAndHeld();
        clock.move(MINUTE);
        Holder second = startedAndHeld();
        clock.move(MINUTE);
        appended(second.appends(1, Events.completed("1")));
        clock.move(MINUTE);
        appended(first.appends(1, Events.completed("1")));
        Instant oneMinute = NOON.plus(MINUTE);
        Instant twoMinutes = NOON.plus(MINUTE.multipliedBy(2));
        Instant threeMinutes = NOON.plus(MINUTE.multipliedBy(3));
        assertThat(listed(byStart().between(NOON, oneMinute))).containsExactly(first.run());
        assertThat(listed(byStart().between(oneMinute, null))).containsExactly(second.run());
        assertThat(listed(byStart().between(oneMinute.plus(MOMENT), null))).isEmpty();
        assertThat(listed(byEnd().between(twoMinutes, threeMinutes))).containsExactly(second.run());
        assertThat(listed(byEnd().between(null, twoMinutes))).isEmpty();
        assertThat(listed(byEnd().between(threeMinutes, null))).containsExactly(first.run());
        assertThat(listed(byEnd().between(threeMinutes, NOON))).isEmpty();
    }

    @Test
    final void everyFilterHoldsTogetherWithTheOthers() {
        RunId wanted = ended(newRun().tag("team", "a"), Events.failed());
        ended(newRun().tag("team", "b"), Events.failed());
        ended(newRun().tag("team", "a"), Events.completed("1"));
        ended(newRun().workflow(OTHER_WORKFLOW).tag("team", "a"), Events.failed());
        clock.move(MINUTE);
        ended(newRun().tag("team", "a"), Events.failed());
        for (Asked order : List.of(byStart(), byEnd())) {
            assertThat(listed(order.of(WORKFLOW)
                            .in(RunStatus.FAILED)
                            .between(NOON, NOON.plus(MINUTE))
                            .with(Map.of("team", "a"))))
                    .containsExactly(wanted);
        }
    }

    @Test
    final void aRunIsListedAsWhatItIsNow() {
        Holder holder = startedAndHeld();
        RunId run = holder.run();
        clock.move(MINUTE);
        RunId other = started();
        appended(holder.appends(1, Events.parked()));
        isListedAs(RunStatus.PARKED, run);
        appended(intervene(run, Events.resumed()));
        isListedAs(RunStatus.RUNNING, run);
        assertThat(listed(byStart().in(RunStatus.RUNNING))).containsExactly(other, run);
        appended(intervene(run, Events.failed()));
        isListedAs(RunStatus.FAILED, run);
        appended(intervene(run, Events.redriven()));
        isListedAs(RunStatus.RUNNING, run);
        appended(intervene(run, Events.parked()));
        isListedAs(RunStatus.PARKED, run);
        appended(intervene(run, Events.cancelled()));
        isListedAs(RunStatus.CANCELLED, run);
        clock.move(Duration.ofDays(NewRun.RETENTION_DAYS).plus(MOMENT));
        assertThat(store.sweep(Sweep.RETIRED_RUNS, 10)).isEqualTo(1);
        assertThat(listed(byEnd())).isEmpty();
        assertThat(listed(byStart())).containsExactly(other);
        assertThat(store.runCounts(TENANT)).containsExactly(new RunCount(WORKFLOW, RunStatus.RUNNING, 1));
    }

    private void isListedAs(RunStatus is, RunId run) {
        assertThat(row(run).status()).isEqualTo(is);
        for (RunStatus status : RunStatus.values()) {
            assertThat(listed(byStart().in(status)).contains(run))
                    .as("listed as %s, is %s", status, is)
                    .isEqualTo(status == is);
            long there = listed(byStart().in(status)).size();
            assertThat(store.runCounts(TENANT).stream()
                            .filter(count -> count.status() == status)
                            .mapToLong(RunCount::count)
                            .sum())
                    .as("counted as %s", status)
                    .isEqualTo(there);
        }
        assertThat(listed(byEnd()).contains(run)).isEqualTo(is.isTerminal());
        assertThat(listed(byEnd().in(is)).contains(run)).isEqualTo(is.isTerminal());
    }

    @Test
    final void aRunThatFailsAgainIsListedByItsLastEnd() {
        RunId run = ended(newRun(), Events.failed());
        clock.move(MINUTE);
        RunId other = ended(newRun(), Events.failed());
        clock.move(MINUTE);
        appended(intervene(run, Events.redriven()));
        appended(intervene(run, Events.failed()));
        assertThat(listed(byEnd())).containsExactly(run, other);
        assertThat(listed(byEnd().in(RunStatus.FAILED))).containsExactly(run, other);
    }

    @Test
    final void onlyAPageWithMoreBehindItHasANext() {
        assertThat(store.runs(byStart().from(null))).isEqualTo(new RunPage(List.of(), null));
        for (int run = 0; run < 4; run++) {
            ended(newRun(), Events.failed());
            clock.move(MINUTE);
        }
        for (Asked asked : List.of(byStart(), byEnd(), byStart().in(RunStatus.FAILED))) {
            assertThat(store.runs(asked.atMost(4).from(null)).next()).isNull();
            RunPage page = store.runs(asked.atMost(3).from(null));
            RunRow last = page.runs().getLast();
            assertThat(page.next()).isEqualTo(new Cursor(last.startedAt(), last.id()));
            assertThat(store.runs(asked.atMost(3).from(page.next())).next()).isNull();
        }
    }

    @Test
    final void listsAreOfOneTenant() {
        RunId ours = ended(newRun().tag("team", "a"), Events.failed());
        RunId theirs = started(newRun(OTHER_TENANT).tag("team", "a"));
        assertThat(listed(byStart())).containsExactly(ours);
        assertThat(listed(byStart().with(Map.of("team", "a")))).containsExactly(ours);
        assertThat(listed(byStart().in(RunStatus.RUNNING))).isEmpty();
        assertThat(store.run(OTHER_TENANT, theirs)).isPresent();
    }
}
