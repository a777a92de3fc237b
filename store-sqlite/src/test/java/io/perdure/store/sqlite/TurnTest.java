package io.perdure.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How much one transaction of a sweep removes: all commits wait for it. */
class TurnTest {
    private final AtomicLong nanoTime = new AtomicLong();
    private final Turn turn = new Turn(nanoTime::get);

    /** Removes rows that take so long each until the transaction has done enough; returns how many went with each statement. */
    private List<Integer> statements(long nanosOfARow) {
        List<Integer> statements = new ArrayList<>();
        while (!turn.isOver()) {
            int rows = turn.next();
            nanoTime.addAndGet(rows * nanosOfARow);
            turn.removed(rows);
            statements.add(rows);
        }
        return statements;
    }

    @Test
    void rowsThatTakeNoTime_goByMoreWithEachStatement() {
        assertThat(statements(0)).containsExactly(16, 32, 64, 128, 256, 504);
    }

    @Test
    void slowRows_endAtTheTime() {
        assertThat(statements(100_000)).containsExactly(16, 32, 52);
        assertThat(nanoTime).hasValue(Turn.MOST_NANOS);
    }

    @Test
    void verySlowRows_endAfterTheFirstStatement() {
        assertThat(statements(Turn.MOST_NANOS)).containsExactly(Turn.FIRST_ROWS);
    }

    /** Small rows came first: what they took says nothing about these. */
    @Test
    void rowsThatBecomeSlow_endTheTransactionWithOneStatement() {
        turn.removed(turn.next());
        nanoTime.addAndGet(Turn.MOST_NANOS);

        assertThat(turn.isOver()).isTrue();
    }

    @Test
    void isOver_beforeAnythingIsRemoved_isNot() {
        nanoTime.addAndGet(10 * Turn.MOST_NANOS);

        assertThat(turn.isOver()).isFalse();
    }

    @Test
    void next_afterStatementsThatRemovedNothing_isOneAtLeast() {
        nanoTime.addAndGet(Turn.MOST_NANOS);
        turn.removed(0);

        assertThat(turn.next()).isPositive();
    }
}
