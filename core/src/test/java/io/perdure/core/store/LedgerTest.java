package io.perdure.core.store;

import static io.perdure.core.store.LedgerFixture.ONE_LANE;
import static io.perdure.core.store.LedgerFixture.ORDERS;
import static io.perdure.core.store.LedgerFixture.TENANT;
import static io.perdure.core.store.LedgerFixture.assertFails;
import static io.perdure.core.store.LedgerFixture.sent;
import static io.perdure.core.store.LedgerFixture.start;
import static io.perdure.core.store.LedgerFixture.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.LedgerFixture.Running;
import io.perdure.core.store.QueueCommit.Purge;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What callers can rely on while the store does its work. */
@Timeout(60)
class LedgerTest {
    @Test
    void aCommitIsAnsweredWithItsOwnOutcome() {
        try (LedgerFixture fixture = new LedgerFixture(Limits.defaults())) {
            Send send = fixture.send();

            assertThat(fixture.ledger.commit(send)).isEqualTo(sent(send));
            assertThat(fixture.ledger.commit(new Purge(TENANT, ORDERS, 10))).isEqualTo(new Outcome.Changed(1));
            assertThat(fixture.ledger.commit(new Purge(TENANT, new QueueName("nowhere"), 10)))
                    .isInstanceOfSatisfying(
                            Outcome.Refused.class,
                            refused -> assertThat(refused.why()).isEqualTo(Refusal.NO_SUCH_QUEUE));
        }
    }

    @Test
    void aBatchIsWhatGatheredWhileTheOneBeforeWasWritten() {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            Pending first = fixture.hold();
            List<Send> sends = fixture.sends(500);
            List<Pending> handed = sends.stream().map(fixture.ledger::hand).toList();
            assertThat(handed).noneMatch(Pending::isDone);
            fixture.release();

            assertThat(handed.stream().map(Pending::await))
                    .containsExactlyElementsOf(
                            sends.stream().map(LedgerFixture::sent).toList());
            assertThat(first.isDone()).isTrue();
            assertThat(fixture.store.attempts).hasSize(2);
            assertThat(fixture.store.attempts.get(1).commits()).isEqualTo(sends);
            assertThat(fixture.store.attempts.get(1).number())
                    .isEqualTo(fixture.store.attempts.get(0).number() + 1);
        }
    }

    @Test
    void aBatchIsBoundInCommitsAndLeavesTheRestInOrder() {
        try (LedgerFixture fixture = new LedgerFixture(limits(100, 1 << 20))) {
            fixture.hold();
            List<Send> sends = fixture.sends(250);
            List<Pending> handed = sends.stream().map(fixture.ledger::hand).toList();
            fixture.release();
            handed.forEach(Pending::await);

            assertThat(sizes(fixture)).containsExactly(1, 100, 100, 50);
            assertThat(fixture.store.sent().subList(1, 251)).isEqualTo(sends);
        }
    }

    @Test
    void aBatchIsBoundInRowsWhichACommitMayHaveManyOf() {
        try (LedgerFixture fixture = new LedgerFixture(limits(100, 1 << 20))) {
            fixture.hold();
            List<Send> sends = IntStream.of(40, 40, 40, 100, 1)
                    .mapToObj(messages -> new Send(
                            fixture.sends(1).getFirst().tenant(),
                            fixture.sends(messages).stream()
                                    .flatMap(send -> send.messages().stream())
                                    .toList()))
                    .toList();
            List<Pending> handed = sends.stream().map(fixture.ledger::hand).toList();
            fixture.release();
            handed.forEach(Pending::await);

            assertThat(sizes(fixture)).containsExactly(1, 2, 1, 1, 1);
            assertThat(fixture.store.sent().subList(1, 6)).isEqualTo(sends);
        }
    }

    @Test
    void aBatchIsBoundInBytesButTakesOneCommitInAnyCase() {
        try (LedgerFixture fixture = new LedgerFixture(limits(100, 30_000))) {
            fixture.hold();
            List<Send> sends = IntStream.of(10_000, 10_000, 10_000, 100_000, 100, 100)
                    .mapToObj(length -> fixture.send(null, "x".repeat(length)))
                    .toList();
            List<Pending> handed = sends.stream().map(fixture.ledger::hand).toList();
            fixture.release();
            handed.forEach(Pending::await);

            assertThat(sizes(fixture)).containsExactly(1, 2, 1, 1, 2);
            assertThat(fixture.store.sent().subList(1, 7)).isEqualTo(sends);
        }
    }

    @Test
    void whatComesWhileSomeIsLeftOverJoinsIt() {
        try (LedgerFixture fixture = new LedgerFixture(limits(3, 1 << 20))) {
            fixture.hold();
            List<Pending> handed = new ArrayList<>();
            fixture.sends(4).forEach(send -> handed.add(fixture.ledger.hand(send)));
            fixture.store.faults.add((batch, real) -> {
                fixture.sends(2).forEach(send -> handed.add(fixture.ledger.hand(send)));
                return real.commit(batch);
            });
            fixture.release();
            until(() -> fixture.ledger.figures().commits() == 8);

            assertThat(sizes(fixture)).containsExactly(1, 3, 3);
        }
    }

    @Test
    void commitsOfOneGroupKeepTheirOrderOverManyLanes() {
        try (LedgerFixture fixture = new LedgerFixture(Limits.defaults())) {
            List<Send> sends = IntStream.range(0, 1_000)
                    .mapToObj(i -> fixture.send("group-" + i % 10, Integer.toString(i)))
                    .toList();
            fixture.ledger.commitAll(sends);

            for (int group = 0; group < 10; group++) {
                String key = "group-" + group;
                assertThat(fixture.store.sent().stream().filter(commit -> inGroup(commit, key)))
                        .containsExactlyElementsOf(sends.stream()
                                .filter(send -> inGroup(send, key))
                                .toList());
            }
            assertThat(fixture.store.attempts.stream()
                            .map(batch -> batch.lane().number())
                            .distinct())
                    .hasSize(4);
        }
    }

    @Test
    void whatIsSaidOfAMessageGoesTheWayOfWhatIsSentToItsGroup() {
        try (LedgerFixture fixture = new LedgerFixture(Limits.defaults())) {
            for (int group = 0; group < 20; group++) {
                Send send = fixture.send("group-" + group, "x");
                fixture.ledger.commit(send);
                Lease lease = new Lease(fixture.environment.ids().token(), Duration.ofMinutes(1));
                Receipt receipt = fixture.store
                        .receive(new Receive(TENANT, ORDERS, 1, lease))
                        .deliveries()
                        .getFirst()
                        .receipt();
                fixture.ledger.commit(new Settle(TENANT, receipt, new Verdict.Done()));

                assertThat(receipt.groupHash())
                        .isEqualTo(send.messages().getFirst().groupHash())
                        .isNotZero();
                assertThat(fixture.store.attempts.stream()
                                .skip(2L * group)
                                .map(batch -> batch.lane().number())
                                .distinct())
                        .hasSize(1);
            }
        }
    }

    @Test
    void commitsHandedOverTogetherAreAnsweredInOrder() {
        try (LedgerFixture fixture = new LedgerFixture(Limits.defaults())) {
            List<Send> sends = fixture.sends(100);

            assertThat(fixture.ledger.commitAll(sends))
                    .containsExactlyElementsOf(
                            sends.stream().map(LedgerFixture::sent).toList());
            assertThat(fixture.ledger.commitAll(List.of())).isEmpty();
        }
    }

    @Test
    void aFullLedgerMakesCallersWaitAndLetsThemInAgain() {
        Limits.Ledger three = new Limits.Ledger(1, 10, 1 << 20, 3, 1 << 20, Duration.ofMinutes(5));
        try (LedgerFixture fixture = new LedgerFixture(three)) {
            fixture.hold();
            fixture.ledger.hand(fixture.send());
            fixture.ledger.hand(fixture.send());
            List<Running> callers = IntStream.range(0, 20)
                    .mapToObj(_ -> start(() -> fixture.ledger.commit(fixture.send())))
                    .toList();
            until(() -> fixture.ledger.queued() == 20);
            assertThat(fixture.ledger.figures().waiting()).isEqualTo(3);
            fixture.release();

            callers.forEach(Running::join);
            assertThat(fixture.messages()).isEqualTo(23);
            assertThat(fixture.ledger.figures().waiting()).isZero();
            assertThat(fixture.ledger.figures().largestBatch()).isLessThanOrEqualTo(3);
        }
    }

    @Test
    void aCommitLargerThanTheWholeRoomPassesAlone() {
        Limits.Ledger narrow = new Limits.Ledger(1, 10, 1 << 20, 100, 5_000, Duration.ofMinutes(5));
        try (LedgerFixture fixture = new LedgerFixture(narrow)) {
            fixture.hold();
            Running large = start(() -> fixture.ledger.commit(fixture.send(null, "x".repeat(10_000))));
            until(() -> fixture.ledger.queued() == 1);
            Running small = start(() -> fixture.ledger.commit(fixture.send()));
            // The small one would fit, but does not pass the large one.
            until(() -> fixture.ledger.queued() == 2);
            fixture.release();

            large.join();
            small.join();
            assertThat(sizes(fixture)).containsExactly(1, 1, 1);
        }
    }

    @Test
    void interruptingAWaiterKeepsItWaitingAndItsFlag() {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            Pending first = fixture.hold();
            List<Boolean> flags = new ArrayList<>();
            Running waiter = start(() -> {
                Thread.currentThread().interrupt();
                first.await();
                flags.add(Thread.currentThread().isInterrupted());
            });
            until(() -> waiter.thread().getState() == Thread.State.WAITING);
            waiter.thread().interrupt();
            fixture.release();
            waiter.join();

            assertThat(flags).containsExactly(true);
        }
    }

    @Test
    void severalThreadsMayWaitForOneCommit() {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            Pending first = fixture.hold();
            List<Running> waiters =
                    IntStream.range(0, 5).mapToObj(_ -> start(first::await)).toList();
            waiters.forEach(waiter -> until(() -> waiter.thread().getState() == Thread.State.WAITING));
            fixture.release();

            waiters.forEach(Running::join);
        }
    }

    @Test
    void figuresTellWhatWasDone() {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            fixture.hold();
            List<Pending> handed =
                    fixture.sends(9).stream().map(fixture.ledger::hand).toList();
            LedgerFigures before = fixture.ledger.figures();
            assertThat(before.waiting()).isEqualTo(10);
            assertThat(before.waitingBytes()).isBetween(10L, 10_000L);
            fixture.release();
            handed.forEach(Pending::await);

            // The queue was created by a batch before.
            assertThat(fixture.ledger.figures()).isEqualTo(new LedgerFigures(11, 3, 0, 9, 0, 0, 0, 0, 0));
        }
    }

    @Test
    void boundsThatMakeNoSenseStopTheStart() {
        assertFails(ErrorCode.OUT_OF_BOUNDS, () -> new LedgerFixture(limits(0, 1)));
        assertFails(ErrorCode.OUT_OF_BOUNDS, () -> new LedgerFixture(limits(10_001, 1)));
        assertFails(ErrorCode.OUT_OF_BOUNDS, () -> new LedgerFixture(limits(1, 0)));
        assertFails(
                ErrorCode.OUT_OF_BOUNDS,
                () -> new LedgerFixture(new Limits.Ledger(257, 1, 1, 1, 1, Duration.ofSeconds(1))));
        assertFails(
                ErrorCode.OUT_OF_BOUNDS,
                () -> new LedgerFixture(new Limits.Ledger(1, 1, 1, 0, 1, Duration.ofSeconds(1))));
        assertFails(
                ErrorCode.OUT_OF_BOUNDS,
                () -> new LedgerFixture(new Limits.Ledger(1, 1, 1, 1, 1, Duration.ofSeconds(-1))));
    }

    private static Limits.Ledger limits(int batchCommits, int batchBytes) {
        return new Limits.Ledger(1, batchCommits, batchBytes, 20_000, 1 << 26, Duration.ofMinutes(5));
    }

    private static List<Integer> sizes(LedgerFixture fixture) {
        return fixture.store.attempts.stream()
                .map(batch -> batch.commits().size())
                .toList();
    }

    private static boolean inGroup(Commit commit, String key) {
        return commit instanceof Send send
                && send.messages().getFirst().group() != null
                && send.messages().getFirst().group().value().equals(key);
    }
}
