package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.core.store.Inspect;
import io.perdure.core.store.Inspect.Scope;
import io.perdure.core.store.Inspected;
import io.perdure.core.store.Lease;
import io.perdure.core.store.RunQuery.Cursor;
import io.perdure.core.store.Suspect;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.worker.Release;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which runs something may be wrong with. */
abstract class InspectContract extends StoreFixture {
    private static final Event BEGAN = new Event.StepStarted(new StepName("pay"), 1);

    private final StoreFactory factory;

    InspectContract(StoreFactory factory) {
        super(factory);
        this.factory = factory;
    }

    private void loseMessage(RunId run) {
        factory.loseMessage(store, TENANT, run);
    }

    private static Inspect asked(Scope scope, Duration overdueBy, int limit) {
        return new Inspect(TENANT, scope, overdueBy, null, limit);
    }

    private List<Suspect> suspects(Scope scope, Duration overdueBy) {
        Inspected inspected = store.inspect(asked(scope, overdueBy, 100));
        assertThat(inspected.next()).as("where to go on").isNull();
        return inspected.suspects();
    }

    private List<RunId> found(Scope scope) {
        return runs(suspects(scope, Duration.ZERO));
    }

    private static List<RunId> runs(List<Suspect> suspects) {
        return suspects.stream().map(Suspect::run).toList();
    }

    private Suspect suspect(RunId run, boolean hasMessage) {
        return new Suspect(run, snapshot(run).history().getLast(), hasMessage);
    }

    /** Starts a run that is leased for so long, and whose first step should have been over by now. */
    private Holder late(NewRun run, Duration lease) {
        Lease taken = new Lease(ids.token(), lease);
        Holder holder = new Holder(TENANT, started(run.leased(taken)), taken.token());
        appended(holder.appends(1, BEGAN, Due.atOnce()));
        return holder;
    }

    private Holder late() {
        return late(newRun(), LEASE);
    }

    private RunId lost(NewRun run) {
        RunId id = started(run);
        loseMessage(id);
        return id;
    }

    @ParameterizedTest
    @EnumSource
    final void aRunIsSuspectFromWhenTheTimeOfItsNewestEventHasPassed(Scope scope) {
        Holder holder = startedAndHeld();
        store.extend(List.of(holder.extendedBy(HOUR.multipliedBy(2))));
        Recorded began = appended(holder.appends(1, BEGAN, Due.in(MINUTE))).getFirst();
        clock.move(MINUTE.minus(MOMENT));
        assertThat(suspects(scope, Duration.ZERO)).isEmpty();
        clock.move(MOMENT);
        assertThat(suspects(scope, Duration.ZERO)).containsExactly(new Suspect(holder.run(), began, true));
        assertThat(suspects(scope, MOMENT)).isEmpty();
        assertThat(suspects(scope, Duration.ofNanos(1))).isEmpty();
        clock.move(HOUR);
        assertThat(suspects(scope, HOUR)).containsExactly(new Suspect(holder.run(), began, true));
        assertThat(suspects(scope, HOUR.plus(MOMENT))).isEmpty();
        assertThat(suspects(scope, Duration.ofSeconds(Long.MAX_VALUE))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    final void onlyTheNewestEventCounts(Scope scope) {
        Holder done = late();
        appended(done.appends(2, Events.step("pay")));
        Holder later = late();
        appended(later.appends(2, BEGAN, Due.in(MINUTE)));
        Holder again = startedAndHeld();
        appended(again.appends(1, Events.step("a"), Events.step("b")));
        assertThat(found(scope)).isEmpty();
        appended(again.appends(3, BEGAN, Due.atOnce()));
        assertThat(suspects(scope, Duration.ZERO)).containsExactly(suspect(again.run(), true));
    }

    @ParameterizedTest
    @EnumSource
    final void aDeadlineIsNotTheTimeOfAnEvent(Scope scope) {
        startedAndHeld(newRun().deadline(Due.in(MOMENT)));
        clock.move(MOMENT);
        assertThat(found(scope)).isEmpty();
    }

    @Test
    final void aRunWithoutAMessageIsSuspectWhateverItsEvents() {
        RunId fresh =
                lost(newRun().deadline(Due.in(HOUR)).key("k").workflowId("w").tag("a", "b"));
        Holder worked = startedAndHeld();
        appended(worked.appends(1, Events.step("a"), Events.step("b")));
        loseMessage(worked.run());
        Holder asleep = startedAndHeld();
        appended(asleep.sleeps(1, HOUR));
        loseMessage(asleep.run());
        RunId waits = suspendedOn(Events.VERIFY);
        loseMessage(waits);
        started();
        assertThat(suspects(Scope.ALL, HOUR))
                .containsExactly(
                        suspect(fresh, false),
                        suspect(worked.run(), false),
                        suspect(asleep.run(), false),
                        suspect(waits, false));
        assertThat(suspects(Scope.ALL, HOUR).getFirst().last())
                .isEqualTo(new Recorded(
                        0,
                        NOON,
                        NOON.plus(HOUR),
                        snapshot(fresh).history().getFirst().event()));
        assertThat(found(Scope.LEASED)).isEmpty();
    }

    @Test
    final void aRunThatIsRepairedIsSuspectNoMore() {
        RunId run = lost(newRun());
        appended(intervene(run, Events.cancelled()));
        assertThat(found(Scope.ALL)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    final void onlyARunThatRunsIsSuspect(Scope scope) {
        for (Event end : List.of(Events.parked(), Events.completed("1"), Events.failed(), Events.cancelled())) {
            appended(late().appends(2, end));
            ended(newRun(), end);
        }
        assertThat(found(scope)).isEmpty();
    }

    @Test
    final void whatNobodyHoldsIsNotAmongTheLeased() {
        Holder asleep = startedAndHeld();
        appended(asleep.sleeps(1, MOMENT));
        Holder released = late();
        appended(released.releases(2, Release.until(Due.in(HOUR))));
        Holder due = late();
        appended(due.releases(2, Release.until(Due.atOnce())));
        Holder lapsed = late(newRun(), MINUTE);
        Holder held = late(newRun(), MINUTE.plus(MOMENT));
        clock.move(MINUTE);
        assertThat(found(Scope.LEASED)).containsExactly(held.run());
        assertThat(found(Scope.ALL)).containsExactly(asleep.run(), released.run(), due.run(), lapsed.run(), held.run());
    }

    @Test
    final void inspect_afterClockStepsBack_stillFindsLeasedRuns() {
        clock.move(HOUR);
        Holder holder = startedAndHeld();
        appended(holder.appends(1, BEGAN, Due.at(NOON.minus(HOUR))));
        clock.move(LEASE.negated());
        assertThat(found(Scope.LEASED)).containsExactly(holder.run());
        clock.move(MOMENT.negated());
        assertThat(found(Scope.LEASED)).containsExactly(holder.run());
        assertThat(found(Scope.ALL)).containsExactly(holder.run());
    }

    @Test
    final void theLeaseThatEndsTheSoonestIsLookedAtFirst() {
        RunId last = late(newRun(), LEASE.multipliedBy(3)).run();
        Holder healthy = startedAndHeld(newRun().leased(lease()));
        List<RunId> together = Stream.of(late(newRun(), LEASE.multipliedBy(2)), late(newRun(), LEASE.multipliedBy(2)))
                .map(Holder::run)
                .sorted()
                .toList();
        assertThat(found(Scope.LEASED)).containsExactly(together.get(0), together.get(1), last);
        assertThat(store.inspect(asked(Scope.LEASED, Duration.ZERO, 1)).suspects())
                .isEmpty();
        Inspected two = store.inspect(asked(Scope.LEASED, Duration.ZERO, 2));
        assertThat(runs(two.suspects())).containsExactly(together.get(0));
        assertThat(two.next()).isNull();
        appended(healthy.appends(1, BEGAN, Due.atOnce()));
        assertThat(runs(store.inspect(asked(Scope.LEASED, Duration.ZERO, 3)).suspects()))
                .containsExactly(healthy.run(), together.get(0), together.get(1));
    }

    @Test
    final void leasedRunsOfAllWorkflowsAndVersionsAreLookedAt() {
        List<RunId> runs = new ArrayList<>();
        for (NewRun run : List.of(
                newRun().version(3),
                newRun(),
                newRun().version(10),
                newRun().version(2).workflow(OTHER_WORKFLOW),
                newRun().workflow(OTHER_WORKFLOW))) {
            runs.add(late(run, LEASE.plusSeconds(runs.size())).run());
        }
        assertThat(found(Scope.LEASED)).isEqualTo(runs);
    }

    @Test
    final void whatSleepsDoesNotHideWhatIsLeased() {
        for (int sleeper = 0; sleeper < 20; sleeper++) {
            appended(startedAndHeld().sleeps(1, Duration.ofSeconds(1 + sleeper)));
        }
        RunId run = late().run();
        assertThat(runs(store.inspect(asked(Scope.LEASED, Duration.ZERO, 1)).suspects()))
                .containsExactly(run);
    }

    /** Runs of every status, some of which share their moment; answers those that are suspect, in their order. */
    private List<RunId> many() {
        List<Event> ends = List.of(Events.completed("1"), Events.parked(), Events.failed(), Events.cancelled());
        List<RunId> suspects = new ArrayList<>();
        List<Cursor> places = new ArrayList<>();
        for (int run = 0; run < 24; run++) {
            switch (run % 6) {
                case 0 -> suspects.add(late().run());
                case 1 -> suspects.add(lost(newRun()));
                case 2 -> started();
                case 3 -> startedAndHeld();
                default -> ended(newRun(), ends.get(run % ends.size()));
            }
            clock.move(run % 5 == 0 ? MINUTE : Duration.ZERO);
        }
        suspects.forEach(run -> places.add(new Cursor(row(run).startedAt(), run)));
        return places.stream()
                .sorted(Comparator.comparing(Cursor::at).thenComparing(Cursor::run))
                .map(Cursor::run)
                .toList();
    }

    @Test
    final void aWalkOverAllRunsMissesNobodyAndComesToItsEnd() {
        List<RunId> expected = many();
        for (int limit : List.of(1, 2, 5, 8, 23, 24, 25)) {
            List<RunId> found = new ArrayList<>();
            int looks = 0;
            @Nullable Cursor place = null;
            do {
                Inspected page =
                        store.inspect(asked(Scope.ALL, Duration.ZERO, limit).from(place));
                found.addAll(runs(page.suspects()));
                place = page.next();
                looks++;
            } while (place != null && looks < 100);
            assertThat(found).as("found %s at a time", limit).isEqualTo(expected);
            assertThat(looks).as("looks at %s each", limit).isEqualTo(24 / limit + 1);
        }
    }

    @Test
    final void runsOfWhateverStatusAreLookedAt() {
        RunId ended = ended(newRun(), Events.completed("1"));
        clock.move(MOMENT);
        RunId healthy = started();
        clock.move(MOMENT);
        RunId last = lost(newRun());
        Inspected first = store.inspect(asked(Scope.ALL, Duration.ZERO, 1));
        assertThat(first).isEqualTo(new Inspected(List.of(), new Cursor(NOON, ended)));
        Inspected second = store.inspect(asked(Scope.ALL, Duration.ZERO, 1).from(first.next()));
        assertThat(second).isEqualTo(new Inspected(List.of(), new Cursor(NOON.plus(MOMENT), healthy)));
        Inspected third = store.inspect(asked(Scope.ALL, Duration.ZERO, 2).from(second.next()));
        assertThat(third).isEqualTo(new Inspected(List.of(suspect(last, false)), null));
    }

    @Test
    final void aWalkGoesOnBehindARunThatWasSwept() {
        ended(newRun(), Events.completed("1"));
        clock.move(Duration.ofDays(NewRun.RETENTION_DAYS).plus(MOMENT));
        Inspected first = store.inspect(asked(Scope.ALL, Duration.ZERO, 1));
        RunId run = lost(newRun());
        assertThat(store.sweep(Sweep.RETIRED_RUNS, 10)).isEqualTo(1);
        assertThat(runs(store.inspect(asked(Scope.ALL, Duration.ZERO, 10).from(first.next()))
                        .suspects()))
                .containsExactly(run);
    }

    @ParameterizedTest
    @EnumSource
    final void suspectsAreOfOneTenant(Scope scope) {
        Holder ours = late();
        Lease lease = lease();
        Holder theirs = new Holder(OTHER_TENANT, ours.run(), lease.token());
        started(new NewRun(OTHER_TENANT, ours.run()).leased(lease));
        assertThat(of(OTHER_TENANT, scope)).isEmpty();
        appended(theirs.appends(1, Events.step("a")));
        appended(theirs.appends(2, BEGAN, Due.atOnce()));
        assertThat(of(OTHER_TENANT, scope)).extracting(one -> one.last().seq()).containsExactly(2L);
        assertThat(of(TENANT, scope)).containsExactly(suspect(ours.run(), true));
        loseMessage(ours.run());
        assertThat(of(OTHER_TENANT, Scope.ALL)).extracting(Suspect::hasMessage).containsExactly(true);
        assertThat(of(TENANT, Scope.ALL)).extracting(Suspect::hasMessage).containsExactly(false);
        assertThat(of(new TenantId("nobody"), scope)).isEmpty();
    }

    private List<Suspect> of(TenantId tenant, Scope scope) {
        return store.inspect(new Inspect(tenant, scope, Duration.ZERO, null, 100))
                .suspects();
    }

    @Test
    final void whatCannotBeAskedIsRefused() {
        int most = Limits.defaults().calls().pageRows();
        refused(ErrorCode.OUT_OF_BOUNDS, () -> asked(Scope.ALL, HOUR, 0));
        refused(ErrorCode.OUT_OF_BOUNDS, () -> asked(Scope.LEASED, HOUR, most + 1));
        refused(ErrorCode.OUT_OF_BOUNDS, () -> asked(Scope.LEASED, MOMENT.negated(), 1));
        Cursor place = new Cursor(NOON, ids.runId());
        refused(ErrorCode.MALFORMED_COMMIT, () -> asked(Scope.LEASED, HOUR, 1).from(place));
    }

    private static void refused(ErrorCode code, ThrowingCallable call) {
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(call)
                .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(code));
    }
}
