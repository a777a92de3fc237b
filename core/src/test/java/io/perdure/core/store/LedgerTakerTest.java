package io.perdure.core.store;

import static io.perdure.core.store.LedgerFixture.ONE_LANE;
import static io.perdure.core.store.LedgerFixture.TENANT;
import static io.perdure.core.store.LedgerFixture.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.ClaimRuns.Served;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.id.WorkflowName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever would have what commits make due is told of every commit, once, whatever becomes of it. */
@Timeout(60)
class LedgerTakerTest {
    private static final Taken NEXT_AT_EPOCH = new Taken(List.of(), Map.of(), Instant.EPOCH);

    /** Notes what it was asked and told. */
    private static class Noting implements Taker {
        final List<Integer> asked = new CopyOnWriteArrayList<>();
        final List<Integer> told = new CopyOnWriteArrayList<>();
        final List<Taken> given = new CopyOnWriteArrayList<>();
        private final LedgerFixture fixture;

        Noting(LedgerFixture fixture) {
            this.fixture = fixture;
        }

        @Override
        public ClaimRuns request(int commits) {
            asked.add(commits);
            Lease lease = new Lease(fixture.environment.ids().token(), Duration.ofSeconds(10));
            return new ClaimRuns(TENANT, List.of(new Served(new WorkflowName("w"), Set.of(1))), commits, lease);
        }

        @Override
        public void given(int commits, Taken taken, long askedNanos) {
            told.add(commits);
            given.add(taken);
        }
    }

    @Test
    void theClaimGoesAlongWithTheBatch() {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            Noting taker = new Noting(fixture);
            fixture.store.along.add(NEXT_AT_EPOCH);

            fixture.ledger.hand(fixture.send(), taker).await();
            fixture.ledger.commit(fixture.send());

            assertThat(taker.asked).containsExactly(1);
            assertThat(taker.told).containsExactly(1);
            assertThat(taker.given).containsExactly(NEXT_AT_EPOCH);
        }
    }

    @Test
    void oneClaimIsForAllCommitsOfABatchThatWouldHaveOne() {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            Noting taker = new Noting(fixture);
            fixture.hold();
            List<Pending> handed = IntStream.range(0, 10)
                    .mapToObj(at -> fixture.ledger.hand(fixture.send(), at % 2 == 0 ? taker : null))
                    .toList();
            fixture.release();
            handed.forEach(Pending::await);
            fixture.ledger.commit(fixture.send());

            assertThat(taker.asked).containsExactly(5);
            assertThat(taker.told).containsExactly(5);
        }
    }

    @Test
    void whereTheCommitFailsNothingIsGiven() {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            Noting taker = new Noting(fixture);
            fixture.store.faults.add((_, _) -> {
                throw new StoreException(ErrorCode.STORE_FAILED, "no");
            });

            assertFails(
                    ErrorCode.STORE_FAILED,
                    () -> fixture.ledger.hand(fixture.send(), taker).await());
            fixture.ledger.commit(fixture.send());

            assertThat(taker.told).containsExactly(1);
            assertThat(taker.given).containsExactly(Taken.NOTHING);
        }
    }

    @Test
    void aFaultOfTheLaneIsToldToo() {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            Noting taker = new Noting(fixture) {
                @Override
                public ClaimRuns request(int commits) {
                    throw new IllegalStateException("a taker that stumbles");
                }
            };

            assertFails(
                    ErrorCode.OUTCOME_UNKNOWN,
                    () -> fixture.ledger.hand(fixture.send(), taker).await());
            fixture.ledger.commit(fixture.send());

            assertThat(taker.told).containsExactly(1);
        }
    }

    @Test
    void anAnswerThatWasLostIsAskedForAgainWithTheClaim() {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            Noting taker = new Noting(fixture);
            fixture.store.faults.add((batch, real) -> {
                real.commit(batch);
                throw new StoreException(ErrorCode.OUTCOME_UNKNOWN, "lost");
            });
            fixture.store.along.add(NEXT_AT_EPOCH);

            fixture.ledger.hand(fixture.send(), taker).await();
            fixture.ledger.commit(fixture.send());

            assertThat(taker.asked).containsExactly(1);
            assertThat(taker.given).containsExactly(NEXT_AT_EPOCH);
        }
    }
}
