package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.RunId;
import io.perdure.testkit.StoreFactory;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Since when runs are due that nobody takes. */
abstract class DueContract extends StoreFixture {
    DueContract(StoreFactory factory) {
        super(factory);
    }

    @Test
    final void ofEachWorkflowItIsTheRunThatHasBeenDueTheLongest() {
        assertThat(store.dueSince(TENANT)).isEmpty();
        started(newRun().ready(Due.in(MINUTE)));
        started(newRun().ready(Due.in(HOUR)));
        clock.move(MINUTE.minus(MOMENT));
        assertThat(store.dueSince(TENANT)).isEmpty();
        clock.move(MOMENT);
        assertThat(store.dueSince(TENANT)).isEqualTo(Map.of(WORKFLOW, NOON.plus(MINUTE)));
        started(newRun().workflow(OTHER_WORKFLOW));
        clock.move(HOUR);
        assertThat(store.dueSince(TENANT))
                .isEqualTo(Map.of(WORKFLOW, NOON.plus(MINUTE), OTHER_WORKFLOW, NOON.plus(MINUTE)));
    }

    @Test
    final void runsOfEveryVersionAndOfNoneYetAreLookedAt() {
        started(newRun().version(10).ready(Due.in(HOUR)));
        started(newRun().version(2).ready(Due.in(MINUTE)));
        started(newRun().version(null).ready(Due.in(MINUTE.plus(MOMENT))));
        started(newRun(OTHER_TENANT));
        clock.move(HOUR);
        assertThat(store.dueSince(TENANT)).isEqualTo(Map.of(WORKFLOW, NOON.plus(MINUTE)));
        started(newRun().workflow(OTHER_WORKFLOW).version(null));
        clock.move(MOMENT);
        assertThat(store.dueSince(TENANT)).containsEntry(OTHER_WORKFLOW, NOON.plus(HOUR));
        assertThat(store.dueSince(OTHER_TENANT)).isEqualTo(Map.of(WORKFLOW, NOON));
    }

    @Test
    final void aRunThatIsLeasedIsNotDueUntilItsLeaseEnds() {
        startedAndHeld();
        assertThat(store.dueSince(TENANT)).isEmpty();
        clock.move(LEASE.minus(MOMENT));
        assertThat(store.dueSince(TENANT)).isEmpty();
        clock.move(MOMENT.plus(HOUR));
        assertThat(store.dueSince(TENANT)).isEqualTo(Map.of(WORKFLOW, NOON.plus(LEASE)));
        claimOnly();
        assertThat(store.dueSince(TENANT)).isEmpty();
    }

    @Test
    final void aRunThatWaitsIsParkedOrHasEndedIsNotDue() {
        RunId waiting = suspendedOn(Events.VERIFY);
        RunId parked = ended(newRun(), Events.parked());
        ended(newRun(), Events.failed());
        appended(intervene(started(), Events.cancelled()));
        clock.move(HOUR);
        assertThat(store.dueSince(TENANT)).isEmpty();
        appended(intervene(parked, Events.resumed()));
        assertThat(store.dueSince(TENANT)).isEqualTo(Map.of(WORKFLOW, NOON.plus(HOUR)));
        claimOnly();
        commit(signal(waiting, Events.VERIFY));
        assertThat(store.dueSince(TENANT)).isEqualTo(Map.of(WORKFLOW, NOON.plus(HOUR)));
    }
}
