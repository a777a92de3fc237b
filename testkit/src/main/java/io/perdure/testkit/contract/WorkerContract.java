package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.core.store.Announcement;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.run.LiveWorker;
import io.perdure.sdk.worker.Claim.Served;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Which workers are alive. */
abstract class WorkerContract extends SweepFixture {
    private static final List<Served> SERVED = List.of(new Served(WORKFLOW, Set.of(1)));

    WorkerContract(StoreFactory factory) {
        super(factory);
    }

    private static Announcement worker(TenantId tenant, ProcessId process, String name, Duration length) {
        return new Announcement(tenant, process, name, SERVED, 10, length);
    }

    private ProcessId announced(String name, Duration length) {
        ProcessId process = ids.processId();
        store.announce(worker(TENANT, process, name, length));
        return process;
    }

    private List<LiveWorker> alive() {
        return store.workers(TENANT);
    }

    private List<ProcessId> processes() {
        return alive().stream().map(LiveWorker::process).toList();
    }

    @Test
    final void aWorkerIsAliveForAsLongAsItSays() {
        ProcessId process = announced("w", MINUTE);
        LiveWorker expected = new LiveWorker(process, "w", SERVED, 10, NOON, NOON.plus(MINUTE));
        assertThat(alive()).containsExactly(expected);
        clock.move(MINUTE.minus(MOMENT));
        assertThat(alive()).containsExactly(expected);
        clock.move(MOMENT);
        assertThat(alive()).isEmpty();
    }

    @Test
    final void whoeverSaysSoAgainInTimeStaysAlive() {
        ProcessId process = announced("w", MINUTE);
        clock.move(MINUTE.minus(MOMENT));
        List<Served> others = List.of(new Served(OTHER_WORKFLOW, Set.of(3)));
        store.announce(new Announcement(TENANT, process, "other", others, 7, HOUR));
        assertThat(alive())
                .containsExactly(new LiveWorker(
                        process,
                        "other",
                        others,
                        7,
                        NOON,
                        NOON.plus(MINUTE).minus(MOMENT).plus(HOUR)));
        clock.move(HOUR);
        assertThat(alive()).isEmpty();
    }

    @Test
    final void whatWasSaidLastCountsEvenIfItIsShorter() {
        ProcessId process = announced("w", HOUR);
        store.announce(worker(TENANT, process, "w", MOMENT));
        clock.move(MOMENT);
        assertThat(alive()).isEmpty();
    }

    @Test
    final void whoeverWasSilentForTooLongBeginsAnew() {
        ProcessId process = announced("w", MINUTE);
        clock.move(MINUTE);
        store.announce(worker(TENANT, process, "w", MINUTE));
        assertThat(alive())
                .containsExactly(
                        new LiveWorker(process, "w", SERVED, 10, NOON.plus(MINUTE), NOON.plus(MINUTE.multipliedBy(2))));
    }

    @Test
    final void whoeverWithdrawsIsGoneAtOnceAndMayComeBack() {
        ProcessId process = announced("w", HOUR);
        ProcessId other = announced("x", HOUR);
        store.withdraw(TENANT, process);
        assertThat(processes()).containsExactly(other);
        store.withdraw(TENANT, process);
        store.withdraw(TENANT, ids.processId());
        assertThat(processes()).containsExactly(other);
        clock.move(MINUTE);
        store.announce(worker(TENANT, process, "w", HOUR));
        assertThat(alive().getFirst().since()).isEqualTo(NOON.plus(MINUTE));
    }

    @Test
    final void workersComeByNameThenByProcess() {
        ProcessId first = ids.processId();
        ProcessId second = ids.processId();
        assertThat(first).isLessThan(second);
        ProcessId last = announced("b", HOUR);
        store.announce(worker(TENANT, second, "a", HOUR));
        store.announce(worker(TENANT, first, "a", HOUR));
        ProcessId capital = announced("B", HOUR);
        assertThat(processes()).containsExactly(capital, first, second, last);
    }

    @Test
    final void workersAreOfOneTenant() {
        ProcessId process = announced("ours", HOUR);
        store.announce(worker(OTHER_TENANT, process, "theirs", HOUR));
        assertThat(alive()).extracting(LiveWorker::name).containsExactly("ours");
        assertThat(store.workers(OTHER_TENANT)).extracting(LiveWorker::name).containsExactly("theirs");
        store.withdraw(OTHER_TENANT, process);
        assertThat(processes()).containsExactly(process);
        assertThat(store.workers(OTHER_TENANT)).isEmpty();
    }

    @Test
    final void whatAWorkerSaysComesBackToTheLetter() {
        ProcessId process = ids.processId();
        String name = "zürich \"1\"\\n\t' 🐟 " + "x".repeat(200);
        List<Served> served =
                List.of(new Served(WORKFLOW, Set.of(Integer.MAX_VALUE, 1, 20)), new Served(OTHER_WORKFLOW, Set.of(2)));
        store.announce(new Announcement(TENANT, process, name, served, 100_000, HOUR));
        assertThat(alive()).containsExactly(new LiveWorker(process, name, served, 100_000, NOON, NOON.plus(HOUR)));
    }

    @Test
    final void aWorkerIsAliveUntilAWholeMicrosecond() {
        clock.move(Duration.ofNanos(1_999));
        announced("w", MINUTE.plusNanos(1));
        assertThat(alive().getFirst().since()).isEqualTo(NOON.plus(MOMENT));
        assertThat(alive().getFirst().until()).isEqualTo(NOON.plus(MINUTE).plus(MOMENT.multipliedBy(2)));
    }

    @Test
    final void aClockThatWentBackMakesNobodyBeginAnew() {
        ProcessId process = announced("w", HOUR);
        clock.move(MINUTE.negated());
        store.announce(worker(TENANT, process, "w", HOUR));
        assertThat(alive().getFirst().since()).isEqualTo(NOON);
        assertThat(alive().getFirst().until()).isEqualTo(NOON.minus(MINUTE).plus(HOUR));
    }

    @Test
    final void onlyWorkersThatAreGoneAreSwept() {
        ProcessId living = announced("w", MINUTE);
        announced("x", MINUTE.minus(MOMENT));
        store.announce(worker(OTHER_TENANT, ids.processId(), "y", MOMENT));
        clock.move(MINUTE.minus(MOMENT));
        assertThat(sweep(Sweep.GONE_WORKERS)).isEqualTo(2);
        assertThat(processes()).containsExactly(living);
        assertThat(sweep(Sweep.GONE_WORKERS)).isZero();
        clock.move(MOMENT);
        assertThat(sweep(Sweep.GONE_WORKERS)).isEqualTo(1);
    }

    /** The clock goes back to see who is left. */
    @Test
    final void theWorkerThatIsGoneTheLongestIsSweptFirst() {
        ProcessId late = announced("a", HOUR);
        ProcessId first = ids.processId();
        ProcessId second = ids.processId();
        store.announce(worker(TENANT, second, "b", MINUTE));
        store.announce(worker(TENANT, first, "c", MINUTE));
        clock.move(HOUR);
        assertThat(store.sweep(Sweep.GONE_WORKERS, 1)).isEqualTo(1);
        clock.move(HOUR.negated());
        assertThat(processes()).containsExactly(late, second);
        clock.move(HOUR);
        assertThat(store.sweep(Sweep.GONE_WORKERS, 1)).isEqualTo(1);
        clock.move(HOUR.negated());
        assertThat(processes()).containsExactly(late);
    }

    @Test
    final void aSweepOfWorkersRemovesNoMoreThanItsLimit() {
        for (int worker = 0; worker < 3; worker++) {
            announced("w", MINUTE);
        }
        clock.move(MINUTE);
        assertThat(sweepOneByOne(Sweep.GONE_WORKERS)).isEqualTo(3);
    }

    @Test
    final void whatNoWorkerCanSayIsRefused() {
        ProcessId process = ids.processId();
        refused(ErrorCode.INVALID_KEY, () -> worker(TENANT, process, "", HOUR));
        refused(ErrorCode.INVALID_KEY, () -> worker(TENANT, process, "a\0b", HOUR));
        refused(ErrorCode.VALUE_TOO_LARGE, () -> worker(TENANT, process, "é".repeat(128) + "x", HOUR));
        refused(ErrorCode.OUT_OF_BOUNDS, () -> worker(TENANT, process, "w", Duration.ZERO));
        refused(ErrorCode.OUT_OF_BOUNDS, () -> new Announcement(TENANT, process, "w", SERVED, 0, HOUR));
        refused(ErrorCode.MALFORMED_COMMIT, () -> new Announcement(TENANT, process, "w", List.of(), 1, HOUR));
        List<Served> twice = List.of(SERVED.getFirst(), new Served(WORKFLOW, Set.of(2)));
        refused(ErrorCode.MALFORMED_COMMIT, () -> new Announcement(TENANT, process, "w", twice, 1, HOUR));
    }

    private static void refused(ErrorCode code, ThrowingCallable call) {
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(call)
                .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(code));
    }
}
