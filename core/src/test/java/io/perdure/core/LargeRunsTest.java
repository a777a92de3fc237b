package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.core.workflow.WorkerDesk;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.worker.Assignment;
import io.perdure.sdk.worker.Claim;
import io.perdure.sdk.worker.Claimed;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Runs that are too large to be read with others are read aside, and wait for the worker under a lease that is kept. */
class LargeRunsTest {
    private static final String KEEPER = "perdure-large-runs";
    private static final String READER = "perdure-large-run";
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LEASE = Limits.defaults().runs().lease();
    private static final int TOGETHER = 1_000;
    private static final Workflow<String, String> ECHO =
            Workflow.named("echo").run(String.class, String.class, (_, input) -> input);
    private static final Claim CLAIM =
            new Claim(List.of(new Claim.Served(new WorkflowName("echo"), Set.of(1))), 10, true);

    private final VirtualTime time = new VirtualTime();
    private final BentStore bent = new BentStore(PerdureFixture.openStore(time));
    private final Perdure perdure = Perdure.over(bent.store(), time, reading(TOGETHER));
    private final WorkerDesk desk = perdure.desk();

    /** Another process over the same store, which reads any run with others. */
    private final Perdure elsewhere = Perdure.over(bent.store(), time, OpenOptions.defaults());

    private static OpenOptions reading(int bytes) {
        Limits limits = Limits.defaults();
        OpenOptions defaults = OpenOptions.defaults();
        return new OpenOptions(
                defaults.tenant(), defaults.codec(), limits.with(limits.calls().reading(bytes)));
    }

    @AfterEach
    void close() {
        elsewhere.close();
        perdure.close();
    }

    private RunId startLarge() {
        return perdure.start(ECHO, "x".repeat(2 * TOGETHER)).id();
    }

    /** Claims a run that is not read with others, and returns once it was read aside. */
    private void setAside() throws InterruptedException {
        assertThat(desk.claim(CLAIM, _ -> true).runs()).isEmpty();
        awaitRead(2);
        assertThat(bent.count("snapshots")).isEqualTo(2);
    }

    private void pass(Duration by) throws InterruptedException {
        for (Duration passed = Duration.ZERO; passed.compareTo(by) < 0; passed = passed.plus(SECOND)) {
            time.pass(SECOND);
            time.awaitIdle(KEEPER, 1);
        }
    }

    /** Returns once the large run was read, which was the given read of the store, and the keeper waits. */
    private void awaitRead(int reads) throws InterruptedException {
        until(() -> bent.count("snapshots") >= reads && time.running(READER) == 0);
        time.awaitIdle(KEEPER, 1);
    }

    private static void until(BooleanSupplier holds) {
        long deadline = System.nanoTime() + VirtualTime.PATIENCE.toNanos();
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private static void assertTaken(Claimed claimed, RunId large) {
        assertThat(claimed.runs()).extracting(run -> run.held().run()).containsExactly(large);
        assertThat(claimed.runs()).extracting(Assignment::lapses).containsExactly(0);
    }

    /** The worker has no place for it for longer than a lease. */
    @Test
    void largeRun_thatWaitsForAPlace_keepsItsLease() throws InterruptedException {
        RunId large = startLarge();
        setAside();

        pass(LEASE.plusSeconds(8));

        assertThat(elsewhere.desk().claim(CLAIM, _ -> true).runs()).isEmpty();
        assertTaken(desk.claim(CLAIM, _ -> true), large);
    }

    /** The store takes longer for one of them than a lease lasts. */
    @Test
    void largeRun_whileAnotherIsReadForLongerThanALease_keepsItsLease() throws InterruptedException {
        CountDownLatch goOn = new CountDownLatch(1);
        RunId slow = startLarge();
        RunId waiting = startLarge();
        AtomicInteger reads = new AtomicInteger();
        bent.before("snapshots", () -> {
            if (reads.incrementAndGet() == 2) {
                awaitUninterruptibly(goOn);
            }
        });
        assertThat(desk.claim(CLAIM, _ -> true).runs()).isEmpty();
        until(() -> reads.get() == 2);
        time.awaitIdle(KEEPER, 1);

        pass(LEASE.plusSeconds(8));

        assertThat(elsewhere.desk().claim(CLAIM, _ -> true).runs()).isEmpty();
        goOn.countDown();
        until(() -> reads.get() == 3 && time.running(READER) == 0);
        List<Assignment> taken = desk.claim(CLAIM, _ -> true).runs();
        assertThat(taken).extracting(run -> run.held().run()).containsExactly(slow, waiting);
        assertThat(taken).extracting(Assignment::lapses).containsOnly(0);
    }

    /** Reading takes several times the size of a run. */
    @Test
    void largeRun_whileThatOfAnotherTenantIsRead_waitsAndKeepsItsLease() throws InterruptedException {
        CountDownLatch goOn = new CountDownLatch(1);
        Perdure other = perdure.tenant(new TenantId("other"));
        WorkerDesk itsDesk = other.desk();
        startLarge();
        RunId waiting = other.start(ECHO, "x".repeat(2 * TOGETHER)).id();
        AtomicInteger reads = new AtomicInteger();
        bent.before("snapshots", () -> {
            if (reads.incrementAndGet() == 2) {
                awaitUninterruptibly(goOn);
            }
        });
        assertThat(desk.claim(CLAIM, _ -> true).runs()).isEmpty();
        until(() -> reads.get() == 2);
        assertThat(itsDesk.claim(CLAIM, _ -> true).runs()).isEmpty();

        passBoth(LEASE.plusSeconds(8));

        assertThat(reads).hasValue(3);
        assertThat(time.running(READER)).isEqualTo(1);
        goOn.countDown();
        until(() -> time.running(READER) == 0);
        passBoth(Duration.ofSeconds(4));
        until(() -> reads.get() == 4 && time.running(READER) == 0);
        assertTaken(itsDesk.claim(CLAIM, _ -> true), waiting);
    }

    private void passBoth(Duration by) throws InterruptedException {
        for (Duration passed = Duration.ZERO; passed.compareTo(by) < 0; passed = passed.plus(SECOND)) {
            time.awaitIdle(KEEPER, 2);
            time.pass(SECOND);
        }
        time.awaitIdle(KEEPER, 2);
    }

    /** A worker elsewhere has room for one answer at a time. */
    @Test
    void largeRuns_ofWhichOnlyOneIsTaken_areNotReadAgain() throws InterruptedException {
        Set<RunId> all = new HashSet<>();
        all.add(startLarge());
        all.add(startLarge());
        assertThat(desk.claim(CLAIM, _ -> true).runs()).isEmpty();
        awaitRead(3);
        Set<RunId> taken = new HashSet<>();

        for (int claims = 0; claims < all.size(); claims++) {
            AtomicBoolean first = new AtomicBoolean(true);
            desk.claim(CLAIM, _ -> first.getAndSet(false))
                    .runs()
                    .forEach(run -> taken.add(run.held().run()));
        }

        assertThat(taken).isEqualTo(all);
        assertThat(bent.count("snapshots")).isEqualTo(3);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void largeRun_thatWaitsForTooLong_isGivenToAnotherProcess() throws InterruptedException {
        RunId large = startLarge();
        setAside();

        pass(LEASE.multipliedBy(2));
        time.pass(LEASE.plus(SECOND));
        until(() -> time.running(KEEPER) == 0);

        assertTaken(elsewhere.desk().claim(CLAIM, _ -> true), large);
    }

    @Test
    void claim_whileNoThreadCanBeStarted_goesOnAndReadsTheLargeRunLater() throws InterruptedException {
        RunId large = startLarge();
        RunId small = perdure.start(ECHO, "small").id();
        time.refuse(KEEPER);

        assertTaken(desk.claim(CLAIM, _ -> true), small);

        time.refuse("/");
        time.pass(LEASE.plus(SECOND));
        Claim withoutSmall = new Claim(CLAIM.served(), 1, true);
        assertThat(desk.claim(withoutSmall, _ -> true).runs()).isEmpty();
        awaitRead(3);
        Claimed read = desk.claim(withoutSmall, _ -> true);
        assertThat(read.runs()).extracting(run -> run.held().run()).containsExactly(large);
    }

    private static StoreException away() {
        return new StoreException(ErrorCode.STORE_UNREACHABLE, "It is away.");
    }

    /** The lease of a run that was read is confirmed when it is taken. */
    @Test
    void claim_whileTheStoreIsAway_keepsTheLargeRunThatWasRead() throws InterruptedException {
        RunId large = startLarge();
        setAside();
        bent.fail("extend", away());
        for (int tries = 0; tries < 3; tries++) {
            assertThatExceptionOfType(StoreException.class).isThrownBy(() -> desk.claim(CLAIM, _ -> true));
        }
        bent.heal("extend");

        assertTaken(desk.claim(CLAIM, _ -> true), large);
        assertThat(bent.count("snapshots")).isEqualTo(2);
    }

    @Test
    void largeRun_whoseLeaseCannotBeExtendedBeforeTheRead_isLetGoOfForASecond() throws InterruptedException {
        bent.failOnce("extend", away());

        assertReadLater(startLarge(), 1);
    }

    @Test
    void largeRun_thatIsReadWhileTheStoreIsAway_isLetGoOfForASecond() throws InterruptedException {
        AtomicInteger reads = new AtomicInteger();
        bent.failWhen("snapshots", _ -> reads.incrementAndGet() == 2, away());

        assertReadLater(startLarge(), 2);
    }

    /** Claims a run that cannot be read aside now; it is, after the given number of reads, a second later. */
    private void assertReadLater(RunId large, int reads) throws InterruptedException {
        assertThat(desk.claim(CLAIM, _ -> true).runs()).isEmpty();
        until(() -> bent.count("snapshots") == reads && time.running(READER) == 0 && time.running(KEEPER) == 0);
        time.pass(SECOND);

        assertThat(desk.claim(CLAIM, _ -> true).runs()).isEmpty();
        awaitRead(reads + 2);
        assertTaken(desk.claim(CLAIM, _ -> true), large);
    }

    @Test
    void largeRun_whileNoThreadCanKeepIt_isLetGoOfAndNeverParked() throws InterruptedException {
        RunId large = startLarge();
        time.refuse(KEEPER);
        for (int tries = 0; tries < 4; tries++) {
            assertThat(desk.claim(CLAIM, _ -> true).runs()).isEmpty();
            time.pass(SECOND);
        }
        time.refuse("/");

        assertThat(desk.claim(CLAIM, _ -> true).runs()).isEmpty();
        awaitRead(6);
        assertTaken(desk.claim(CLAIM, _ -> true), large);
    }

    @Test
    void largeRun_whileNoThreadCanReadIt_isLetGoOfAndNeverParked() throws InterruptedException {
        startLarge();
        setAside();
        Claim others = new Claim(List.of(new Claim.Served(new WorkflowName("other"), Set.of(1))), 10, true);
        Workflow<String, String> other = Workflow.named("other").run(String.class, String.class, (_, input) -> input);
        RunId large = perdure.start(other, "x".repeat(2 * TOGETHER)).id();
        time.refuse(READER);
        for (int tries = 0; tries < 4; tries++) {
            assertThat(desk.claim(others, _ -> true).runs()).isEmpty();
            time.awaitIdle(KEEPER, 1);
            time.pass(SECOND);
        }
        time.refuse("/");

        assertThat(desk.claim(others, _ -> true).runs()).isEmpty();
        awaitRead(8);
        assertTaken(desk.claim(others, _ -> true), large);
    }

    /** Its keeper ended while it was taken. */
    @Test
    void largeRun_thatIsNotTakenWhileNoThreadCanBeStarted_isLetGoOf() throws InterruptedException {
        RunId large = startLarge();
        setAside();
        time.refuse(KEEPER);
        Claimed none = desk.claim(CLAIM, _ -> {
            time.pass(Limits.defaults().workers().extendEvery());
            until(() -> time.running(KEEPER) == 0);
            return false;
        });
        assertThat(none.runs()).isEmpty();
        time.refuse("/");
        time.pass(SECOND);

        assertThat(desk.claim(CLAIM, _ -> true).runs()).isEmpty();
        awaitRead(4);
        assertTaken(desk.claim(CLAIM, _ -> true), large);
    }
}
