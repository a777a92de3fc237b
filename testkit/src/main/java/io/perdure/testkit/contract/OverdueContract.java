package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.RunId;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which runs are overdue. */
abstract class OverdueContract extends StoreFixture {
    OverdueContract(StoreFactory factory) {
        super(factory);
    }

    private List<RunId> overdue(Duration by) {
        return store.overdue(TENANT, by, 100);
    }

    private NewRun dueWithin(Duration length) {
        return newRun().deadline(Due.in(length));
    }

    @Test
    final void aRunIsOverdueFromItsDeadlineOn() {
        RunId run = started(dueWithin(MINUTE));
        started();
        clock.move(MINUTE.minus(MOMENT));
        assertThat(overdue(Duration.ZERO)).isEmpty();
        clock.move(MOMENT);
        assertThat(overdue(Duration.ZERO)).containsExactly(run);
        assertThat(overdue(MOMENT)).isEmpty();
        assertThat(overdue(Duration.ofNanos(1))).isEmpty();
        clock.move(HOUR);
        assertThat(overdue(HOUR)).containsExactly(run);
        assertThat(overdue(HOUR.plus(MOMENT))).isEmpty();
        assertThat(overdue(Duration.ofSeconds(Long.MAX_VALUE))).isEmpty();
    }

    @Test
    final void theLongestOverdueComesFirst() {
        RunId late = started(dueWithin(MINUTE));
        List<RunId> together = Stream.of(
                        started(dueWithin(MOMENT)), started(dueWithin(MOMENT)), started(dueWithin(MOMENT)))
                .sorted()
                .toList();
        clock.move(HOUR);
        assertThat(overdue(MINUTE)).containsExactly(together.get(0), together.get(1), together.get(2), late);
        assertThat(store.overdue(TENANT, MINUTE, 2)).isEqualTo(together.subList(0, 2));
    }

    @Test
    final void everyWayToStartKeepsTheDeadline() {
        RunId plain = started(dueWithin(MINUTE));
        RunId leased = startedAndHeld(dueWithin(MINUTE)).run();
        RunId keyed = started(dueWithin(MINUTE).key("k"));
        NewRun one = dueWithin(MINUTE);
        NewRun two = dueWithin(MINUTE).leased(lease());
        NewRun three = dueWithin(MINUTE).workflowId("w");
        commitTogether(one.start(), newRun().start(), two.start(), three.start());
        clock.move(MINUTE);
        assertThat(overdue(Duration.ZERO))
                .containsExactlyInAnyOrder(
                        plain,
                        leased,
                        keyed,
                        one.start().run(),
                        two.start().run(),
                        three.start().run());
    }

    @Test
    final void onlyARunThatRunsIsOverdue() {
        Holder holder = startedAndHeld(dueWithin(MINUTE));
        RunId run = holder.run();
        clock.move(MINUTE);
        appended(holder.appends(1, Events.parked()));
        assertThat(overdue(Duration.ZERO)).isEmpty();
        appended(intervene(run, Events.resumed()));
        assertThat(overdue(Duration.ZERO)).containsExactly(run);
        appended(claimOnly().appends(3, Events.failed()));
        assertThat(overdue(Duration.ZERO)).isEmpty();
        appended(intervene(run, Events.redriven()));
        assertThat(overdue(Duration.ZERO)).containsExactly(run);
        appended(intervene(run, Events.cancelled()));
        assertThat(overdue(Duration.ZERO)).isEmpty();
    }

    @Test
    final void beingWorkedOnOrAsleepChangesNothing() {
        RunId run = startedAndHeld(dueWithin(MINUTE)).run();
        clock.move(HOUR);
        assertThat(overdue(Duration.ZERO)).containsExactly(run);
        appended(claimOnly().sleeps(1, HOUR));
        assertThat(overdue(Duration.ZERO)).containsExactly(run);
    }

    @Test
    final void overdueRunsAreOfOneTenant() {
        started(newRun(OTHER_TENANT).deadline(Due.in(MOMENT)));
        clock.move(MINUTE);
        assertThat(overdue(Duration.ZERO)).isEmpty();
        assertThat(store.overdue(OTHER_TENANT, Duration.ZERO, 10)).hasSize(1);
    }
}
