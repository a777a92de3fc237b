package io.perdure.core.store;

import static io.perdure.core.store.LedgerFixture.error;
import static io.perdure.core.store.LedgerFixture.sent;
import static io.perdure.core.store.LedgerFixture.start;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.LedgerFixture.Running;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many virtual threads at once, little room, and a store that loses answers. */
@Timeout(60)
class LedgerStressTest {
    private static final int CALLERS = 150;
    private static final int COMMITS = 60;

    @Test
    void everyCallerGetsItsOwnOutcomeWhateverHappens() {
        Limits.Ledger narrow = new Limits.Ledger(3, 50, 20_000, 120, 60_000, Duration.ofMinutes(5));
        try (LedgerFixture fixture = new LedgerFixture(narrow)) {
            for (int i = 0; i < 40; i++) {
                fixture.store.faults.add((batch, real) -> real.commit(batch));
                fixture.loseNextAnswer();
                fixture.failNext(error(ErrorCode.OUTCOME_UNKNOWN), error(ErrorCode.STORE_BUSY));
            }
            List<Running> callers = IntStream.range(0, CALLERS)
                    .mapToObj(caller -> start(() -> call(fixture, caller)))
                    .toList();
            callers.forEach(Running::join);

            assertThat(fixture.messages()).isEqualTo(CALLERS * COMMITS);
            LedgerFigures figures = fixture.ledger.figures();
            assertThat(figures.commits()).isEqualTo(CALLERS * COMMITS + 1);
            assertThat(figures.waiting()).isZero();
            assertThat(figures.waitingBytes()).isZero();
            assertThat(figures.largestBatch()).isBetween(2L, 50L);
            assertThat(figures.resends()).isGreaterThan(40);
        }
    }

    private static void call(LedgerFixture fixture, int caller) {
        List<Send> sends = new ArrayList<>();
        List<Pending> handed = new ArrayList<>();
        for (int i = 0; i < COMMITS; i++) {
            Send send = fixture.send("group-" + caller, "x".repeat(i));
            if (i % 3 == 0) {
                sends.add(send);
                handed.add(fixture.ledger.hand(send));
            } else {
                assertThat(fixture.ledger.commit(send)).isEqualTo(sent(send));
            }
        }
        for (int i = 0; i < sends.size(); i++) {
            assertThat(handed.get(i).await()).isEqualTo(sent(sends.get(i)));
        }
    }
}
