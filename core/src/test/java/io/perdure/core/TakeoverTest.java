package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Store;
import io.perdure.core.store.memory.MemoryStore;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When workers take over the runs of others, in virtual time: soon if those died, and not if the store stood still for everybody. */
class TakeoverTest {
    private static final Duration TICK = Duration.ofMillis(250);
    private static final Duration LEASE = Limits.defaults().runs().lease();
    private static final Duration LATE = Duration.ofSeconds(8);
    private final StoreException away = new StoreException(ErrorCode.STORE_FAILED, "It is away.");

    private final VirtualTime time = new VirtualTime();
    private final Store store = new MemoryStore(time.clock(), Limits.defaults());
    private final List<WorkerProcess> processes = new ArrayList<>();
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicInteger attempts = new AtomicInteger();
    private final Workflow<Json, String> workflow = Workflow.named("long").run(Json.class, String.class, (ctx, _) -> {
        ctx.step("long", () -> {
            attempts.incrementAndGet();
            goOn.await();
        });
        return "done";
    });

    /** A worker process with its own way to the store. */
    private final class WorkerProcess {
        final BentStore bent = new BentStore(store);
        final Perdure perdure = Perdure.over(bent.store(), time, OpenOptions.defaults())
                .register(workflow)
                .start();

        /** Works on a run from here on. */
        WorkerProcess busy() {
            int before = attempts.get();
            perdure.start(workflow, Json.NULL);
            until(before + 1);
            assertThat(perdure.working()).isEqualTo(1);
            return this;
        }

        /** Never reaches the store again, and the store hears nothing of it. */
        void die() {
            bent.fail("extend", away);
            bent.fail("claim", away);
        }

        /** The store meets these calls so much later from here on. */
        void delay(String method, Duration by) {
            bent.before(method, () -> sleep(by));
        }

        /** The store meets calls of this process only after that time, in nanoseconds. */
        void stall(long untilNanos) {
            Runnable wait = () -> sleep(Duration.ofNanos(Math.max(0, untilNanos - time.nanoTime())));
            bent.before("extend", wait);
            bent.before("claim", wait);
        }
    }

    private void sleep(Duration by) {
        try {
            if (by.isPositive()) {
                time.sleep(by);
            }
        } catch (InterruptedException e) {
            throw new StoreException(ErrorCode.STORE_FAILED, "Interrupted.", e);
        }
    }

    private void until(int begun) {
        long deadline = System.nanoTime() + VirtualTime.PATIENCE.toNanos();
        while (attempts.get() < begun) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private WorkerProcess process() throws InterruptedException {
        WorkerProcess process = new WorkerProcess();
        processes.add(process);
        // A claimer that looks whether there is room has starts wait for their claim, which others may make as well.
        idle();
        return process;
    }

    /** Lets time pass in ticks, in which every worker does all that it does, while nothing has been taken over. */
    private Duration passUntilTaken(WorkerProcess by, Duration atMost) throws InterruptedException {
        Duration passed = Duration.ZERO;
        idle();
        int before = by.perdure.working();
        while (by.perdure.working() == before && passed.compareTo(atMost) < 0) {
            time.pass(TICK);
            passed = passed.plus(TICK);
            idle();
        }
        return passed;
    }

    private void pass(Duration by) throws InterruptedException {
        for (Duration passed = Duration.ZERO; passed.compareTo(by) < 0; passed = passed.plus(TICK)) {
            idle();
            time.pass(TICK);
        }
        idle();
    }

    private void idle() throws InterruptedException {
        time.awaitIdle("perdure-leases", processes.size());
        time.awaitIdle("perdure-claims", processes.size());
    }

    /** What a worker does last waits for a moment, of which there is none while time stands still. */
    @AfterEach
    void close() throws InterruptedException {
        goOn.countDown();
        for (WorkerProcess process : processes) {
            Thread closing = time.start("closing", process.perdure::close);
            while (!closing.join(Duration.ofMillis(5))) {
                time.pass(Duration.ofSeconds(1));
            }
        }
    }

    @Test
    void takeover_afterAnotherWorkerDied_comesSoonAfterItsLease() throws InterruptedException {
        WorkerProcess alive = process().busy();
        WorkerProcess dead = process().busy();
        pass(LEASE);
        dead.die();

        assertThat(passUntilTaken(alive, LEASE.multipliedBy(5))).isLessThanOrEqualTo(LEASE.plusSeconds(2));
    }

    @Test
    void takeover_byAWorkerWithoutRuns_comesSoonAfterTheLease() throws InterruptedException {
        WorkerProcess dead = process().busy();
        WorkerProcess alive = process();
        pass(LEASE);
        dead.die();

        assertThat(passUntilTaken(alive, LEASE.multipliedBy(5))).isLessThanOrEqualTo(LEASE.plusSeconds(2));
        assertThat(alive.perdure.working()).isEqualTo(1);
    }

    /** No hint tells of a run that is leased from its first moment, so the worker at rest has to look by itself. */
    @ParameterizedTest
    @ValueSource(ints = {0, 3, 6, 9})
    void takeover_byAWorkerThatWasAtRestWhenTheRunStarted_comesSoonAfterTheLease(int secondsBefore)
            throws InterruptedException {
        WorkerProcess atRest = process();
        pass(LEASE.multipliedBy(6).plusSeconds(secondsBefore));
        WorkerProcess dead = process().busy();
        dead.die();

        assertThat(passUntilTaken(atRest, LEASE.multipliedBy(5))).isLessThanOrEqualTo(LEASE.plusSeconds(4));
        assertThat(atRest.perdure.working()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 4, 6})
    void takeover_afterOneLateExtensionBesideADeath_comesWithinALeaseAndAFewSeconds(int secondsBefore)
            throws InterruptedException {
        WorkerProcess alive = process().busy();
        WorkerProcess dead = process().busy();
        pass(LEASE);
        dead.die();
        pass(Duration.ofSeconds(secondsBefore));
        int calls = alive.bent.count("extend");
        alive.bent.before("extend", () -> sleep(alive.bent.count("extend") == calls + 1 ? LATE : Duration.ZERO));

        Duration left = passUntilTaken(alive, LEASE.multipliedBy(5));
        assertThat(alive.perdure.working()).isEqualTo(2);
        // The late call begins within three seconds. After it others have four to extend, and workers do not all come
        // at once.
        assertThat(left).isLessThanOrEqualTo(LATE.plusSeconds(3 + 4 + 3));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 6, 9})
    void takeover_whileEveryExtensionIsLate_isNotPutOffForEver(int secondsBefore) throws InterruptedException {
        WorkerProcess late = process().busy();
        WorkerProcess dead = process().busy();
        // So late that each counts as a stall, and yet no lease of this worker ends.
        Duration each = Duration.ofMillis(6_500);
        late.delay("extend", each);
        pass(LEASE.plusSeconds(secondsBefore));
        dead.die();

        assertThat(passUntilTaken(late, LEASE.multipliedBy(10)))
                .isLessThanOrEqualTo(LEASE.plus(each).plusSeconds(5));
        assertThat(late.perdure.working()).isEqualTo(2);
    }

    @Test
    void takeover_whileExtensionsAndClaimsFailNowAndThen_isNotPutOffForEver() throws InterruptedException {
        WorkerProcess flaky = process().busy();
        WorkerProcess dead = process().busy();
        AtomicInteger calls = new AtomicInteger();
        flaky.bent.failWhen("extend", _ -> calls.incrementAndGet() % 2 == 0, away);
        flaky.bent.failWhen("claim", _ -> calls.incrementAndGet() % 3 == 0, away);
        pass(LEASE);
        dead.die();

        assertThat(passUntilTaken(flaky, LEASE.multipliedBy(10))).isLessThanOrEqualTo(LEASE.plusSeconds(8));
    }

    @ParameterizedTest
    @ValueSource(doubles = {5, 8, 12, 25})
    void stall_ofTheStoreForEverybody_takesNoRunFromALiveWorker(double seconds) throws InterruptedException {
        assertNothingIsTaken(LEASE, seconds);
    }

    /** Its claim before the stall said when the next lease ends, which is about when the store is back: it asks for nothing meanwhile. */
    @ParameterizedTest
    @ValueSource(doubles = {6.5, 7, 7.5, 8, 8.5, 9})
    void stall_thatAWorkerWithoutRunsHardlySaw_takesNoRunFromALiveWorker(double seconds) throws InterruptedException {
        assertNothingIsTaken(Duration.ofSeconds(14), seconds);
    }

    private void assertNothingIsTaken(Duration before, double seconds) throws InterruptedException {
        WorkerProcess first = process().busy();
        WorkerProcess second = process().busy();
        WorkerProcess idle = process();
        pass(before);
        Duration length = Duration.ofMillis((long) (seconds * 1_000));
        long end = time.nanoTime() + length.toNanos();
        first.stall(end);
        idle.stall(end);
        // Not all are met at once when the store is back.
        second.stall(end + Duration.ofSeconds(2).toNanos());
        pass(length.plus(LEASE.multipliedBy(4)));

        assertThat(processes).extracting(process -> process.perdure.working()).containsExactly(1, 1, 0);
        assertThat(attempts).hasValue(2);
    }

    @Test
    void stall_inWhichCallsFail_leavesOthersOneLeaseToConnectAgain() throws InterruptedException {
        WorkerProcess first = process().busy();
        WorkerProcess second = process().busy();
        WorkerProcess idle = process();
        pass(LEASE);
        processes.forEach(process -> {
            process.bent.fail("extend", away);
            process.bent.fail("claim", away);
        });
        pass(LEASE.plusSeconds(2));
        for (WorkerProcess back : List.of(first, idle)) {
            back.bent.heal("extend");
            back.bent.heal("claim");
        }
        pass(LEASE.minusSeconds(2));
        second.bent.heal("extend");
        second.bent.heal("claim");
        pass(LEASE.multipliedBy(3));

        assertThat(processes).extracting(process -> process.perdure.working()).containsExactly(1, 1, 0);
        assertThat(attempts).hasValue(2);
    }
}
