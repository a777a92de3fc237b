package io.perdure.core.store;

import static io.perdure.core.store.LedgerFixture.ONE_LANE;
import static io.perdure.core.store.LedgerFixture.TENANT;
import static io.perdure.core.store.LedgerFixture.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Committed.WokenRun;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.worker.Claim.Served;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever would have what a commit makes due is told of every commit, once, whatever becomes of it. */
@Timeout(60)
class LedgerTakerTest {
    private static final WorkflowName WORKFLOW = new WorkflowName("w");

    /** Notes how often it was asked, and what it was told. */
    private static class Noting implements Taker {
        final List<ClaimRuns> asked = new CopyOnWriteArrayList<>();
        final List<Optional<WokenRun>> told = new CopyOnWriteArrayList<>();
        private final Environment environment;

        Noting(Environment environment) {
            this.environment = environment;
        }

        @Override
        public @Nullable ClaimRuns request() {
            Lease lease = new Lease(environment.ids().token(), Duration.ofSeconds(10));
            ClaimRuns request = new ClaimRuns(TENANT, List.of(new Served(WORKFLOW, Set.of(1))), 1, lease);
            asked.add(request);
            return request;
        }

        @Override
        public void given(@Nullable WokenRun woken, long askedNanos) {
            told.add(Optional.ofNullable(woken));
        }
    }

    private static WokenRun woken(Environment environment) {
        RunId run = environment.ids().runId();
        Receipt receipt = new Receipt(MessageId.of(run), environment.ids().token());
        return new WokenRun(new ClaimedRun(run, WORKFLOW, 1, receipt, 0, Instant.EPOCH), null);
    }

    @Test
    void theClaimGoesAlongWithACommitThatTravelsAlone() {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            Noting taker = new Noting(fixture.environment);
            WokenRun woken = woken(fixture.environment);
            fixture.store.woken.add(woken);

            fixture.ledger.hand(fixture.send(), taker).await();

            // Before the commit was answered.
            assertThat(taker.told).containsExactly(Optional.of(woken));
            assertThat(taker.asked).hasSize(1);
        }
    }

    @Test
    void amongManyNobodyIsAskedAndEachIsTold() {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            Noting taker = new Noting(fixture.environment);
            fixture.hold();
            List<Pending> handed = IntStream.range(0, 10)
                    .mapToObj(at -> fixture.ledger.hand(fixture.send(), at % 2 == 0 ? taker : null))
                    .toList();
            fixture.release();
            handed.forEach(Pending::await);

            assertThat(taker.asked).isEmpty();
            assertThat(taker.told).hasSize(5).containsOnly(Optional.empty());
        }
    }

    @Test
    void whoWouldHaveNothingAfterAllIsToldSo() {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            Noting taker = new Noting(fixture.environment) {
                @Override
                public @Nullable ClaimRuns request() {
                    return null;
                }
            };

            fixture.ledger.hand(fixture.send(), taker).await();

            assertThat(taker.told).containsExactly(Optional.empty());
        }
    }

    @Test
    void whereTheCommitFailsNothingIsGiven() {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            Noting taker = new Noting(fixture.environment);
            fixture.store.faults.add((_, _) -> {
                throw new StoreException(ErrorCode.STORE_FAILED, "no");
            });

            assertFails(
                    ErrorCode.STORE_FAILED,
                    () -> fixture.ledger.hand(fixture.send(), taker).await());

            assertThat(taker.told).containsExactly(Optional.empty());
        }
    }

    @Test
    void aFaultOfTheLaneIsToldToo() {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            Noting taker = new Noting(fixture.environment) {
                @Override
                public @Nullable ClaimRuns request() {
                    throw new IllegalStateException("a taker that stumbles");
                }
            };

            assertFails(
                    ErrorCode.OUTCOME_UNKNOWN,
                    () -> fixture.ledger.hand(fixture.send(), taker).await());
            fixture.ledger.commit(fixture.send());

            assertThat(taker.told).containsExactly(Optional.empty());
        }
    }

    @Test
    void anAnswerThatWasLostIsAskedForAgainWithTheSameClaim() {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            Noting taker = new Noting(fixture.environment);
            WokenRun woken = woken(fixture.environment);
            fixture.store.faults.add((batch, real) -> {
                real.commit(batch);
                throw new StoreException(ErrorCode.OUTCOME_UNKNOWN, "lost");
            });
            fixture.store.woken.add(woken);

            fixture.ledger.hand(fixture.send(), taker).await();

            assertThat(taker.asked).hasSize(1);
            assertThat(taker.told).containsExactly(Optional.of(woken));
        }
    }
}
