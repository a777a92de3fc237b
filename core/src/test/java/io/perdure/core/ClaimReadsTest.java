package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Lease;
import io.perdure.core.workflow.WorkerDesk;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.worker.Assignment;
import io.perdure.sdk.worker.Claim;
import io.perdure.sdk.worker.Claimed;
import io.perdure.sdk.worker.Progress;
import io.perdure.sdk.worker.Release;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The histories of what was claimed are read some at a time: 50. */
class ClaimReadsTest extends PerdureFixture {
    private static final Workflow<Integer, Integer> ECHO =
            Workflow.named("echo").run(Integer.class, Integer.class, (_, input) -> input);

    private static final Claim CLAIM =
            new Claim(List.of(new Claim.Served(new WorkflowName("echo"), Set.of(1))), 1_000, true);

    private final StoreException slow = new StoreException(ErrorCode.STORE_BUSY, "It takes too long.");

    private final WorkerDesk desk = perdure.desk();

    private List<Run<Integer>> started(int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> perdure.start(ECHO, number))
                .toList();
    }

    private static List<RunId> ids(List<Run<Integer>> runs) {
        return runs.stream().map(Run::id).toList();
    }

    private static List<RunId> idsOf(Claimed claimed) {
        return claimed.runs().stream().map(one -> one.held().run()).toList();
    }

    private static List<?> read(List<@Nullable Object> arguments) {
        return arguments.get(1) instanceof List<?> runs ? runs : List.of();
    }

    private Claimed claim() {
        return desk.claim(CLAIM, _ -> true);
    }

    private int reads() {
        return bent.count("snapshots");
    }

    @Test
    void aThousandRunsAreNoThousandReads() {
        List<Run<Integer>> runs = started(120);

        assertThat(idsOf(claim())).containsExactlyElementsOf(ids(runs));
        assertThat(reads()).isEqualTo(3);
    }

    @Test
    void aRunThatCannotBeReadKeepsNoOtherFromGoingOnAndGoesOnOnceItCan() throws InterruptedException {
        List<Run<Integer>> runs = started(120);
        Run<Integer> bad = runs.get(60);
        bent.failWhen("snapshots", arguments -> read(arguments).contains(bad.id()), slow);

        perdure.register(ECHO).start();

        for (int number = 0; number < runs.size(); number++) {
            if (number != 60) {
                assertThat(runs.get(number).result(VirtualTime.PATIENCE)).isEqualTo(number);
            }
        }
        assertThat(bad.status()).isEqualTo(RunStatus.RUNNING);
        bent.heal("snapshots");
        while (bad.status() == RunStatus.RUNNING) {
            time.awaitIdle("perdure-leases", 1);
            time.pass(SECOND);
        }
        assertThat(bad.result(VirtualTime.PATIENCE)).isEqualTo(60);
    }

    @Test
    void whatCouldNotBeReadIsReadAloneFromThenOn() {
        List<Run<Integer>> runs = started(60);
        RunId bad = runs.getFirst().id();
        List<RunId> others = ids(runs.subList(1, 60));
        bent.failWhen("snapshots", arguments -> read(arguments).contains(bad), slow);

        assertThat(idsOf(claim())).containsExactlyInAnyOrderElementsOf(others);
        // After each of the two failures another read shows that the store is there.
        assertThat(reads()).isEqualTo(2 + 50 + 2);

        time.pass(SECOND.multipliedBy(11));
        assertThat(idsOf(claim())).containsExactlyInAnyOrderElementsOf(others);
        assertThat(reads()).isEqualTo(2 + 50 + 2 + 2 + 2);
    }

    /** One read that fails takes more than half a lease. */
    @Test
    void whatThereWasNoTimeToReadIsLetGoOfAndClaimedAnew() {
        List<Run<Integer>> runs = started(120);
        RunId bad = runs.getFirst().id();
        bent.failWhen(
                "snapshots",
                arguments -> {
                    boolean asked = read(arguments).contains(bad);
                    time.pass(asked ? Duration.ofSeconds(6) : Duration.ZERO);
                    return asked;
                },
                slow);
        List<Assignment> taken = new ArrayList<>();
        Claimed first = claim();
        assertThat(first.runs()).isEmpty();
        assertThat(first.nextIn()).isZero();
        for (int claims = 0; claims < 2; claims++) {
            taken.addAll(claim().runs());
        }

        assertThat(taken)
                .extracting(one -> one.held().run())
                .containsExactlyInAnyOrderElementsOf(ids(runs.subList(1, 120)));
        assertThat(taken).extracting(Assignment::lapses).containsOnly(0);
    }

    @Test
    void whereMemoryIsShortFewerAreReadAtATime() {
        List<Run<Integer>> runs = started(60);
        bent.failWhen("snapshots", arguments -> read(arguments).size() > 1, new OutOfMemoryError("heap"));

        assertThat(idsOf(claim())).containsExactlyInAnyOrderElementsOf(ids(runs));
    }

    @Test
    void whereMemoryRunsOutNoMoreAreRead() {
        List<Run<Integer>> runs = started(120);
        RunId large = runs.get(60).id();
        bent.failWhen("snapshots", arguments -> read(arguments).contains(large), new OutOfMemoryError("heap"));

        assertThat(idsOf(claim())).containsExactlyElementsOf(ids(runs.subList(0, 50)));
        assertThat(reads()).isEqualTo(2);
        bent.heal("snapshots");
        assertThat(idsOf(claim())).containsExactlyInAnyOrderElementsOf(ids(runs.subList(50, 120)));
    }

    /** As when a server has no memory to copy a history into its answer. What goes into the answer must not be given to others, too. */
    @Test
    void claim_whenTheTakerRunsOutOfMemory_keepsWhatWasTakenBefore() {
        List<Run<Integer>> runs = started(60);
        AtomicInteger offered = new AtomicInteger();

        Claimed some = desk.claim(CLAIM, _ -> {
            if (offered.incrementAndGet() == 3) {
                throw new OutOfMemoryError("heap");
            }
            return true;
        });

        assertThat(idsOf(some)).containsExactlyElementsOf(ids(runs.subList(0, 2)));
        assertThat(offered).hasValue(3);
        assertThat(idsOf(claim())).containsExactlyInAnyOrderElementsOf(ids(runs.subList(3, 60)));
        assertThat(idsOf(claimAfterALease())).contains(runs.get(2).id());
    }

    @Test
    void aStoreThatIsAwayFailsTheClaim() {
        started(60);
        bent.fail("snapshots", new StoreException(ErrorCode.STORE_UNREACHABLE, "It is away."));

        assertCode(ErrorCode.STORE_UNREACHABLE, this::claim);
        assertThat(reads()).isEqualTo(1);
    }

    /** What was read before the store went away was taken, but does not begin. */
    @Test
    void claim_whileTheStoreIsAway_letsGoOfAllRunsWithoutCountingALapse() {
        List<Run<Integer>> runs = started(120);
        AtomicInteger taken = new AtomicInteger();
        bent.failWhen(
                "snapshots",
                arguments -> !read(arguments).contains(runs.getFirst().id()),
                new StoreException(ErrorCode.STORE_UNREACHABLE, "It is away."));
        for (int tries = 0; tries < 3; tries++) {
            assertCode(ErrorCode.STORE_UNREACHABLE, () -> desk.claim(CLAIM, _ -> taken.incrementAndGet() > 0));
            time.pass(SECOND);
        }
        bent.heal("snapshots");

        Claimed claimed = claim();

        assertThat(taken).hasValue(150);
        assertThat(idsOf(claimed)).containsExactlyInAnyOrderElementsOf(ids(runs));
        assertThat(claimed.runs()).extracting(Assignment::lapses).containsOnly(0);
    }

    /** The store's clock is asked for after the runs were claimed. */
    @Test
    void claim_whileTheStoreDoesNotTellTheTime_letsGoOfTheRunsWithoutCountingALapse() {
        List<Run<Integer>> runs = started(10);
        Claim some = new Claim(CLAIM.served(), 5, false);
        bent.fail("now", new StoreException(ErrorCode.STORE_UNREACHABLE, "It is away."));
        assertCode(ErrorCode.STORE_UNREACHABLE, () -> desk.claim(some, _ -> true));
        bent.heal("now");
        time.pass(SECOND);

        Claimed claimed = claim();

        assertThat(idsOf(claimed)).containsExactlyInAnyOrderElementsOf(ids(runs));
        assertThat(claimed.runs()).extracting(Assignment::lapses).containsOnly(0);
    }

    @Test
    void run_claimedWhileTheStoreIsAway_goesOnOnceItRecovers() throws InterruptedException {
        bent.fail("snapshots", new StoreException(ErrorCode.STORE_UNREACHABLE, "It is away."));
        List<Run<Integer>> runs = started(3);
        perdure.register(ECHO).start();
        awaitCalls("snapshots", 1);
        bent.heal("snapshots");

        // Far less than a lease.
        for (int passed = 0; passed < 3; passed++) {
            time.awaitIdle("perdure-claims", 1);
            time.pass(SECOND);
        }

        long began = System.nanoTime();
        while (!runs.stream().allMatch(run -> run.status() == RunStatus.COMPLETED)) {
            assertThat(System.nanoTime() - began).isLessThan(VirtualTime.PATIENCE.toNanos());
            Thread.onSpinWait();
        }
    }

    @Test
    void aStoreThatIsBusyForEverythingFailsTheClaim() {
        started(60);
        bent.failWhen(
                "snapshots",
                _ -> {
                    bent.fail("snapshots", new StoreException(ErrorCode.STORE_BUSY, "Nothing goes."));
                    return true;
                },
                slow);

        assertCode(ErrorCode.STORE_BUSY, this::claim);
        assertThat(reads()).isEqualTo(2);
    }

    @Test
    void whatIsNotTakenIsLetGoOfWithoutBeingRead() {
        List<Run<Integer>> runs = started(240);
        Event step = new Event.StepCompleted(
                new StepName("one"), Json.NULL, time.clock().instant());
        // Half of them have a history.
        claim().runs().stream()
                .limit(120)
                .map(one -> new Progress(one.held(), 1, List.of(new Draft(step)), Release.until(Due.atOnce())))
                .forEach(progress -> desk.commit(progress, false).await());
        time.pass(SECOND.multipliedBy(11));
        int before = reads();
        AtomicInteger room = new AtomicInteger(60);

        Claimed some = desk.claim(CLAIM, _ -> room.getAndDecrement() > 0);

        assertThat(some.runs()).hasSize(60);
        assertThat(some.nextIn()).isZero();
        assertThat(reads() - before).isEqualTo(2);
        Claimed others = claim();
        // Runs that were given back unread keep the lapse that they were claimed with.
        assertThat(others.runs())
                .hasSize(180)
                .allSatisfy(run -> assertThat(run.lapses()).isEqualTo(run.last() == 0 ? 1 : 0));
        assertThat(idsOf(others)).doesNotContainAnyElementsOf(idsOf(some)).isSubsetOf(ids(runs));
        assertThat(others.runs()).extracting(Assignment::last).contains(0L, 1L);
    }

    /** Lets the leases of what could not be read run out, and claims again. */
    private Claimed claimAfterALease() {
        time.pass(SECOND.multipliedBy(11));
        return claim();
    }

    private void assertParked(Run<Integer> run, ErrorCode why) {
        assertThat(run.status()).isEqualTo(RunStatus.PARKED);
        assertThat(Objects.requireNonNull(run.info().error()).type()).isEqualTo(why.code());
    }

    @Test
    void claim_ofARunThatTakesTooLongToRead_parksItAfterThreeTries() {
        List<Run<Integer>> runs = started(3);
        Run<Integer> bad = runs.get(1);
        bent.failWhen("snapshots", arguments -> read(arguments).contains(bad.id()), slow);

        claim();
        claimAfterALease();
        assertThat(bad.status()).isEqualTo(RunStatus.RUNNING);
        claimAfterALease();
        assertParked(bad, ErrorCode.STORE_BUSY);

        bent.heal("snapshots");
        perdure.resume(bad.id(), "the store is quick again");
        assertThat(idsOf(claim())).containsExactly(bad.id());
    }

    @Test
    void claim_ofARunThatUsesUpTheMemory_parksItAfterThreeTriesAndNoOther() {
        List<Run<Integer>> runs = started(3);
        Run<Integer> bad = runs.get(1);
        bent.failWhen("snapshots", arguments -> read(arguments).contains(bad.id()), new OutOfMemoryError("heap"));

        for (int tries = 0; tries < 3; tries++) {
            assertThat(bad.status()).isEqualTo(RunStatus.RUNNING);
            assertThat(idsOf(claimAfterALease())).contains(runs.getFirst().id());
        }
        assertParked(bad, ErrorCode.HISTORY_TOO_LARGE);
        assertThat(runs.getFirst().status()).isEqualTo(RunStatus.RUNNING);
        assertThat(runs.getLast().status()).isEqualTo(RunStatus.RUNNING);
    }

    @Test
    void claim_whileTheStoreIsAway_countsAsNoTry() {
        Run<Integer> run = started(1).getFirst();
        bent.fail("snapshots", new StoreException(ErrorCode.STORE_UNREACHABLE, "It is away."));
        for (int tries = 0; tries < 5; tries++) {
            time.pass(SECOND.multipliedBy(11));
            assertCode(ErrorCode.STORE_UNREACHABLE, this::claim);
        }
        bent.heal("snapshots");

        assertThat(idsOf(claimAfterALease())).containsExactly(run.id());
    }

    /** Each read has its bound, and so has all that the reads of one claim bring. */
    @Test
    void claim_ofMoreThanOneRunMayHave_leavesTheOthersUnread() {
        Workflow<String, String> echo = Workflow.named("echo").run(String.class, String.class, (_, input) -> input);
        try (Perdure bounded =
                Perdure.over(bent.store(), time, OpenOptions.defaults().runBytesMax(600_000))) {
            WorkerDesk other = bounded.desk();
            List<RunId> runs = IntStream.range(0, 120)
                    .mapToObj(_ -> bounded.start(echo, "x".repeat(10_000)).id())
                    .toList();

            Claimed some = other.claim(CLAIM, _ -> true);

            assertThat(idsOf(some)).containsExactlyElementsOf(runs.subList(0, 100));
            assertThat(some.nextIn()).isZero();
            assertThat(reads()).isEqualTo(2);
            assertThat(idsOf(other.claim(CLAIM, _ -> true))).containsExactlyElementsOf(runs.subList(100, 120));
        }
    }

    /** As after a process that ends when its memory does. */
    @Test
    void claim_ofARunWhoseLeasesRanOutBeforeItWasRead_parksItUnread() {
        Run<Integer> run = started(1).getFirst();
        for (int lapses = 0; lapses <= 10; lapses++) {
            Lease lease = new Lease(time.ids().token(), SECOND.multipliedBy(10), Lease.Holder.THIS_PROCESS);
            ClaimRuns ofProcessThatDies = new ClaimRuns(perdure.tenant(), CLAIM.served(), 1, lease);
            assertThat(bent.real().claim(ofProcessThatDies).runs()).hasSize(1);
            time.pass(SECOND.multipliedBy(11));
        }
        int before = reads();

        assertThat(claim().runs()).isEmpty();
        assertThat(reads()).isEqualTo(before);
        assertThat(run.status()).isEqualTo(RunStatus.PARKED);
        assertThat(Objects.requireNonNull(run.info().error()).type()).isEqualTo("lapsed");
    }
}
