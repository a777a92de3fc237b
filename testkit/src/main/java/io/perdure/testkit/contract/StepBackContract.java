package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.worker.Claim.Served;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What becomes of leases when the store's clock goes back. No holder loses a lease by it: a lease that then ends further ahead than twice its
 * length is shortened to one length from now, and its holder confirms it by the next extension. So a dead holder's run or message goes to
 * another one a lease later, and not only when the clock has come to where it was.
 */
abstract class StepBackContract extends StoreFixture {
    private static final Duration FAR = Duration.ofDays(36_500);

    StepBackContract(StoreFactory factory) {
        super(factory);
    }

    @BeforeEach
    final void aQueue() {
        createQueue();
    }

    private Instant endOf(RunId run) {
        return messageOf(run).readyAt();
    }

    @Test
    final void claim_afterClockStepsBack_leavesLiveHoldersAlone() {
        List<Holder> holders = new ArrayList<>();
        for (int run = 0; run < 20; run++) {
            holders.add(startedAndHeld());
        }
        clock.move(HOUR.negated());
        assertThat(due()).isEmpty();
        clock.move(LEASE.dividedBy(2));
        assertThat(store.extend(
                        holders.stream().map(holder -> holder.extendedBy(LEASE)).toList()))
                .allMatch(Extended.Until.class::isInstance);
        clock.move(LEASE.minus(MOMENT));
        assertThat(due()).isEmpty();
        holders.forEach(holder -> appended(holder.appends(1, Events.step("a"))));
    }

    @Test
    final void claim_afterClockStepsBack_takesADeadHoldersRunOneLeaseLater() {
        Holder dead = startedAndHeld();
        clock.move(HOUR.negated());
        assertThat(due()).isEmpty();
        assertThat(messageOf(dead.run()).leased()).isTrue();
        assertThat(endOf(dead.run())).isEqualTo(NOON.minus(HOUR).plus(LEASE));
        clock.move(LEASE.minus(MOMENT));
        assertThat(due()).isEmpty();
        clock.move(MOMENT);
        Holder next = claimOnly();
        leaseLost(dead.appends(1, Events.step("a")));
        appended(next.appends(1, Events.step("a")));
    }

    @Test
    final void claim_afterClockStepsBack_saysWhenToAskAgain() {
        startedAndHeld();
        clock.move(HOUR.negated());
        var request = new ClaimRuns(TENANT, List.of(new Served(WORKFLOW, Set.of(1))), 1, lease());
        assertThat(store.claim(request).nextReady()).isEqualTo(NOON.minus(HOUR).plus(LEASE));
    }

    @Test
    final void claim_afterASmallStepBack_keepsTheEndOfALease() {
        Holder holder = startedAndHeld();
        clock.move(LEASE.negated());
        assertThat(due()).isEmpty();
        assertThat(endOf(holder.run())).isEqualTo(NOON.plus(LEASE));
        clock.move(MOMENT.negated());
        assertThat(due()).isEmpty();
        assertThat(endOf(holder.run())).isEqualTo(NOON.minus(MOMENT));
    }

    @Test
    final void claim_afterTheClockStepsBackAgain_shortensAgain() {
        Holder holder = startedAndHeld();
        clock.move(HOUR.negated());
        assertThat(due()).isEmpty();
        clock.move(HOUR.negated());
        assertThat(due()).isEmpty();
        assertThat(endOf(holder.run())).isEqualTo(NOON.minus(HOUR).minus(HOUR).plus(LEASE));
        clock.move(LEASE);
        assertThat(due()).containsExactly(holder.run());
    }

    @Test
    final void claim_afterAClockFarAheadWasCorrected_noticesTheNextStepBack() {
        clock.move(FAR);
        Holder first = startedAndHeld();
        clock.move(FAR.negated());
        assertThat(due()).isEmpty();
        Holder second = startedAndHeld();
        clock.move(LEASE.multipliedBy(3).negated());
        assertThat(due()).isEmpty();
        clock.move(LEASE);
        assertThat(due()).containsExactlyInAnyOrder(first.run(), second.run());
    }

    /** It is of no version yet, so a claim also changes its run's row. */
    @Test
    final void claim_afterClockStepsBack_takesAFreshRunWithoutAVersion() {
        startedAndHeld();
        RunId fresh = started(newRun().version(null).ready(Due.at(NOON.minus(HOUR))));
        clock.move(HOUR.negated());
        assertThat(due()).containsExactly(fresh);
        assertThat(row(fresh).version()).isEqualTo(1);
    }

    @Test
    final void claim_ofAnotherTenant_shortensTheLease() {
        Holder holder = startedAndHeld();
        clock.move(HOUR.negated());
        store.claim(new ClaimRuns(OTHER_TENANT, List.of(new Served(WORKFLOW, Set.of(1))), 1, lease()));
        assertThat(endOf(holder.run())).isEqualTo(NOON.minus(HOUR).plus(LEASE));
    }

    @Test
    final void claim_thatDoesNotReclaim_shortensTheLease() {
        Holder holder = startedAndHeld();
        clock.move(HOUR.negated());
        store.claim(new ClaimRuns(TENANT, List.of(new Served(WORKFLOW, Set.of(1))), 1, lease(), Instant.EPOCH));
        assertThat(endOf(holder.run())).isEqualTo(NOON.minus(HOUR).plus(LEASE));
    }

    @Test
    final void sweep_afterClockStepsBack_shortensLeases() {
        Holder holder = startedAndHeld();
        MessageId id = sent();
        receiveOnly();
        clock.move(HOUR.negated());
        assertThat(store.sweep(Sweep.EXPIRED_MESSAGES, 100)).isZero();
        assertThat(endOf(holder.run())).isEqualTo(NOON.minus(HOUR).plus(LEASE));
        assertThat(message(QUEUE, id).readyAt()).isEqualTo(NOON.minus(HOUR).plus(LEASE));
    }

    @Test
    final void commit_afterClockStepsBack_isTheHolders() {
        Holder holder = startedAndHeld();
        clock.move(HOUR.negated());
        assertThat(due()).isEmpty();
        appended(holder.appends(1, Events.step("a")));
        appended(holder.appends(2, Events.completed("1")));
    }

    @Test
    final void receive_afterClockStepsBack_leavesLiveReceiversAlone() {
        MessageId id = sent();
        Delivery delivery = receiveOnly();
        clock.move(HOUR.negated());
        assertThat(message(QUEUE, id).leased()).isTrue();
        assertThat(received(1)).isEmpty();
        assertThat(message(QUEUE, id).leased()).isTrue();
        fate(done(delivery));
    }

    @Test
    final void receive_afterClockStepsBack_redeliversADeadReceiversMessageOneLeaseLater() {
        MessageId id = sent();
        Delivery dead = receiveOnly();
        clock.move(HOUR.negated());
        assertThat(store.receive(new Receive(TENANT, QUEUE, 1, lease())).nextReady())
                .isEqualTo(NOON.minus(HOUR).plus(LEASE));
        clock.move(LEASE.minus(MOMENT));
        assertThat(received(1)).isEmpty();
        clock.move(MOMENT);
        Delivery next = receiveOnly();
        assertThat(next.message().id()).isEqualTo(id);
        assertThat(next.message().deliveries()).isEqualTo(2);
        leaseLost(done(dead));
        fate(done(next));
    }

    @Test
    final void receive_fromAQueueThatIsNotThere_changesNoLease() {
        Holder holder = startedAndHeld();
        clock.move(HOUR.negated());
        assertThatThrownBy(() -> store.receive(new Receive(TENANT, OTHER_QUEUE, 1, lease())))
                .isInstanceOf(PerdureException.class);
        assertThat(endOf(holder.run())).isEqualTo(NOON.plus(LEASE));
    }

    @Test
    final void receive_ofChosenMessagesAfterClockStepsBack_leavesLiveReceiversAlone() {
        MessageId id = sent();
        receiveOnly();
        clock.move(HOUR.negated());
        var chosen = new Receive(TENANT, QUEUE, 1, lease(), Set.of(id));
        assertThat(store.receive(chosen).deliveries()).isEmpty();
        clock.move(LEASE);
        assertThat(store.receive(chosen).deliveries()).hasSize(1);
    }

    @Test
    final void receive_ofAGroupAfterClockStepsBack_keepsItsOrder() {
        MessageId first = sent(newMail().group("g"));
        MessageId second = sent(newMail().group("g"));
        receiveOnly();
        clock.move(HOUR.negated());
        assertThat(received(10)).isEmpty();
        clock.move(LEASE);
        Delivery again = receiveOnly();
        assertThat(again.message().id()).isEqualTo(first);
        fate(done(again));
        clock.move(HOUR);
        assertThat(received(10)).containsExactly(second);
    }

    @Test
    final void receive_afterClockStepsBack_measuresEachLeaseByItsOwnLength() {
        MessageId shorter = sent();
        receiveOnly();
        MessageId longer = sent();
        Delivery held = receiveOnly();
        store.extend(List.of(new Extend(TENANT, held.receipt(), HOUR)));
        clock.move(MINUTE.negated());
        assertThat(received(1)).isEmpty();
        assertThat(message(QUEUE, shorter).readyAt())
                .isEqualTo(NOON.minus(MINUTE).plus(LEASE));
        assertThat(message(QUEUE, longer).readyAt()).isEqualTo(NOON.plus(HOUR));
    }

    /** A message that is leased does not expire. */
    @Test
    final void sweep_afterClockStepsBack_leavesALeasedMessageThatExpired() {
        MessageId id = sent();
        clock.move(Duration.ofDays(3));
        Delivery held = receiveOnly();
        clock.move(Duration.ofDays(2));
        store.extend(List.of(new Extend(TENANT, held.receipt(), LEASE)));
        clock.move(LEASE.plus(MOMENT).negated());
        assertThat(store.sweep(Sweep.EXPIRED_MESSAGES, 100)).isZero();
        assertThat(message(QUEUE, id).leased()).isTrue();
        fate(done(held));
    }
}
