package io.perdure.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.queue.Line.Waiter;
import io.perdure.sdk.environment.Bell;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Who of a line is to look when. */
class LineTest {
    private static final long IN_TIME = Line.LOOK_WITHIN.toNanos();

    private final Line together = new Line(true, 0);
    private final Waiter first = joined();
    private final Waiter second = joined();

    private Waiter joined() {
        Waiter waiter = new Waiter(new Silent(), false);
        together.join(waiter);
        // What everybody is called for who joins.
        assertThat(together.beginLook(waiter, 0)).isTrue();
        return waiter;
    }

    /** Nobody waits here: a test asks who would look. */
    private static final class Silent implements Bell {
        @Override
        public void ring() {}

        @Override
        public boolean await(Duration atMost) {
            return false;
        }
    }

    @Test
    void aTimeThatComesWhileTheFirstIsHalfwayCallsEverybody() {
        together.goOn(first);

        assertThat(together.beginLook(first, IN_TIME)).as("goes on").isTrue();
        assertThat(together.beginLook(second, IN_TIME)).as("is called").isTrue();
        assertThat(together.beginLook(first, IN_TIME)).as("starts over").isTrue();
        assertThat(together.beginLook(first, IN_TIME)).isFalse();
        assertThat(together.beginLook(second, IN_TIME)).isFalse();
    }

    @Test
    void whoIsHalfwayGoesOnAndCallsNobodyBeforeTheTime() {
        together.goOn(first);

        assertThat(together.beginLook(first, IN_TIME - 1)).isTrue();
        assertThat(together.beginLook(second, IN_TIME - 1)).isFalse();
        assertThat(together.beginLook(first, IN_TIME - 1)).isFalse();
        assertThat(together.beginLook(first, IN_TIME)).as("in time").isTrue();
    }
}
