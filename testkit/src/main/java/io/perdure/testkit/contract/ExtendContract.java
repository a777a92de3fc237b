package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Commit;
import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.Receipt;
import io.perdure.testkit.StoreFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How leases of runs and messages are lengthened, and what a worker learns when they are lost. */
abstract class ExtendContract extends StoreFixture {
    ExtendContract(StoreFactory factory) {
        super(factory);
    }

    private Extended extend(Extend extend) {
        List<Extended> answers = store.extend(List.of(extend));
        assertThat(answers).hasSize(1);
        return answers.getFirst();
    }

    private static Extend extend(Delivery delivery) {
        return new Extend(TENANT, delivery.receipt(), MINUTE);
    }

    @Test
    final void anExtendedLeaseLastsSoLongFromNow() {
        Holder holder = startedAndHeld();
        clock.move(LEASE.dividedBy(2));
        var end = NOON.plus(LEASE.dividedBy(2)).plus(MINUTE);
        assertThat(extend(holder.extendedBy(MINUTE))).isEqualTo(new Extended.Until(end));
        assertThat(messageOf(holder.run()).readyAt()).isEqualTo(end);
        clock.move(MINUTE.minus(MOMENT));
        assertThat(due()).isEmpty();
        clock.move(MOMENT);
        assertThat(due()).containsExactly(holder.run());
    }

    @Test
    final void anExpiredLeaseThatNobodyReclaimedIsExtended() {
        Holder holder = startedAndHeld();
        clock.move(HOUR);
        assertThat(extend(holder.extendedBy(LEASE)))
                .isEqualTo(new Extended.Until(NOON.plus(HOUR).plus(LEASE)));
        assertThat(due()).isEmpty();
    }

    @Test
    final void aReclaimedLeaseIsLost() {
        Holder before = startedAndHeld();
        clock.move(LEASE);
        Holder after = claimOnly();
        assertThat(extend(before.extendedBy(HOUR))).isEqualTo(new Extended.Lost(RunStatus.RUNNING));
        assertThat(messageOf(after.run()).readyAt()).isEqualTo(NOON.plus(LEASE).plus(LEASE));
    }

    @Test
    final void aWorkerLearnsFromItsExtensionThatTheRunWasCancelled() {
        Holder holder = startedAndHeld();
        appended(intervene(holder.run(), Events.cancelled()));
        assertThat(extend(holder.extendedBy(LEASE))).isEqualTo(new Extended.Lost(RunStatus.CANCELLED));
    }

    @Test
    final void aLeaseThatWasLetGoIsNotExtended() {
        Holder holder = startedAndHeld();
        appended(holder.suspends(1, 0, Events.VERIFY));
        assertThat(extend(holder.extendedBy(LEASE))).isEqualTo(new Extended.Lost(RunStatus.RUNNING));
    }

    /** A store that compares each lease with each is not done before its time is over. */
    @Test
    final void aFullPageOfLeasesIsExtendedInOneCall() {
        Lease lease = lease();
        List<Commit> starts = new ArrayList<>();
        List<Extend> extensions = new ArrayList<>();
        for (int number = 0; number < Limits.defaults().calls().pageRows(); number++) {
            Start start = newRun().leased(lease).start();
            starts.add(start);
            extensions.add(new Holder(TENANT, start.run(), lease.token()).extendedBy(MINUTE));
        }
        int batch = Limits.defaults().ledger().batchRows();
        for (int from = 0; from < starts.size(); from += batch) {
            commitTogether(
                    starts.subList(from, Math.min(starts.size(), from + batch)).toArray(Commit[]::new));
        }

        assertThat(store.extend(extensions))
                .hasSameSizeAs(extensions)
                .containsOnly(new Extended.Until(NOON.plus(MINUTE)));
    }

    @Test
    final void whatIsNotThereHasNoStatus() {
        Holder nobody = new Holder(TENANT, ids.runId(), ids.token());
        assertThat(extend(nobody.extendedBy(LEASE))).isEqualTo(new Extended.Lost(null));
    }

    @Test
    final void leasesAreExtendedEachOnItsOwnAndAnsweredInOrder() {
        Holder first = startedAndHeld();
        Holder lost = new Holder(TENANT, started(), ids.token());
        Holder last = startedAndHeld();
        assertThat(store.extend(List.of(first.extendedBy(MINUTE), lost.extendedBy(MINUTE), last.extendedBy(HOUR))))
                .containsExactly(
                        new Extended.Until(NOON.plus(MINUTE)),
                        new Extended.Lost(RunStatus.RUNNING),
                        new Extended.Until(NOON.plus(HOUR)));
    }

    @Test
    final void anExtendedLeaseIsMeasuredByItsNewLengthWhenTheClockGoesBack() {
        Holder holder = startedAndHeld();
        extend(holder.extendedBy(MINUTE));
        clock.move(MINUTE.negated());
        assertThat(due()).isEmpty();
        assertThat(messageOf(holder.run()).readyAt()).isEqualTo(NOON.plus(MINUTE));
        clock.move(MOMENT.negated());
        assertThat(due()).isEmpty();
        assertThat(messageOf(holder.run()).readyAt()).isEqualTo(NOON.minus(MOMENT));
    }

    @Test
    final void theLeaseOfAMessageIsExtendedToo() {
        createQueue();
        var id = sent();
        Delivery delivery = receiveOnly();
        assertThat(extend(extend(delivery))).isEqualTo(new Extended.Until(NOON.plus(MINUTE)));
        clock.move(MINUTE.minus(MOMENT));
        assertThat(received(1)).isEmpty();
        clock.move(MOMENT);
        assertThat(received(1)).containsExactly(id);
    }

    @Test
    final void anExpiredLeaseOfAMessageIsExtendedWhileNobodyReceivedItAgain() {
        createQueue();
        sent();
        Delivery delivery = receiveOnly();
        clock.move(LEASE);
        assertThat(extend(extend(delivery))).isInstanceOf(Extended.Until.class);
        assertThat(received(1)).isEmpty();
    }

    @Test
    final void theLeaseOfAMessageThatWentElsewhereIsLost() {
        createQueue();
        sent();
        Delivery before = receiveOnly();
        clock.move(LEASE);
        Delivery after = receiveOnly();
        assertThat(extend(extend(before))).isEqualTo(new Extended.Lost(null));
        fate(done(after));
        assertThat(extend(extend(after))).isEqualTo(new Extended.Lost(null));
    }

    @Test
    final void aDeadLetterIsNotHeldByTheReceiptThatRejectedIt() {
        createQueue();
        sent();
        Delivery delivery = receiveOnly();
        fate(reject(delivery));
        assertThat(extend(extend(delivery))).isEqualTo(new Extended.Lost(null));
    }

    @Test
    final void aTokenIsWorthNothingForAnotherMessage() {
        createQueue();
        Delivery mine = deliveryOf(sent());
        Delivery other = deliveryOf(sent());
        Receipt mixed = new Receipt(mine.receipt().message(), other.receipt().token());
        assertThat(extend(new Extend(TENANT, mixed, MINUTE))).isEqualTo(new Extended.Lost(null));
    }

    @Test
    final void ofARunAndAMessageWithOneIdTheTokenSaysWhichIsMeant() {
        createQueue();
        Holder holder = startedAndHeld();
        MessageId id = MessageId.of(holder.run());
        sent(new NewMail(id));
        Delivery delivery = deliveryOf(id);

        assertThat(extend(holder.extendedBy(HOUR))).isEqualTo(new Extended.Until(NOON.plus(HOUR)));
        assertThat(message(QUEUE, id).readyAt()).isEqualTo(NOON.plus(LEASE));
        assertThat(extend(new Extend(TENANT, delivery.receipt(), MINUTE)))
                .isEqualTo(new Extended.Until(NOON.plus(MINUTE)));
        assertThat(message(QUEUE, id).readyAt()).isEqualTo(NOON.plus(MINUTE));
        assertThat(messageOf(holder.run()).readyAt()).isEqualTo(NOON.plus(HOUR));
    }

    private Delivery deliveryOf(MessageId id) {
        Delivery delivery = receiveOnly();
        assertThat(delivery.message().id()).isEqualTo(id);
        return delivery;
    }
}
