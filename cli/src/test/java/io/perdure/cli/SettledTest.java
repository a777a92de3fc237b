package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.id.Receipt;
import java.util.List;
import org.junit.jupiter.api.Test;

class SettledTest {
    private static final Receipt FIRST = receipt(1);
    private static final Receipt LATE = receipt(2);
    private static final Receipt BROKEN = receipt(3);
    private static final Receipt LAST = receipt(4);

    private static Receipt receipt(int number) {
        return Receipt.parse("0199a1b2-0000-7000-8000-00000000000" + number + "." + QueueFixture.NOBODY);
    }

    private static String settle(Receipt receipt) {
        if (receipt.equals(BROKEN)) {
            throw new StoreException(ErrorCode.OUTCOME_UNKNOWN, "The store is away.");
        }
        if (receipt.equals(LATE)) {
            throw new RefusedException(ErrorCode.LEASE_LOST, "Too late.");
        }
        return "done";
    }

    @Test
    void whereTheStoreFailsInTheMiddleTheErrorSaysWhichWereDone() {
        assertThatThrownBy(() -> Settled.each(List.of(FIRST, LATE, BROKEN, LAST), SettledTest::settle))
                .isInstanceOf(StoreException.class)
                .hasMessageStartingWith("PD-201 The store is away. It failed at message %s. Done before: message %s. "
                        .formatted(BROKEN.message(), FIRST.message()))
                .hasMessageContaining("Not done: messages %s, %s. ".formatted(LATE.message(), LAST.message()));
    }

    @Test
    void whereTheStoreFailsAtTheFirstNoneWasDone() {
        assertThatThrownBy(() -> Settled.each(List.of(BROKEN, LAST), SettledTest::settle))
                .hasMessageContaining("None was done before. Not done: message %s. ".formatted(LAST.message()));
    }

    @Test
    void oneAloneFailsAsItDoes() {
        assertThatThrownBy(() -> Settled.each(List.of(BROKEN), SettledTest::settle))
                .hasMessageStartingWith("PD-201 The store is away. ")
                .hasMessageNotContaining("It failed at");
    }
}
