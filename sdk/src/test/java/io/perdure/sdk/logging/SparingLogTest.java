package io.perdure.sdk.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SparingLogTest {
    private final List<String> said = new ArrayList<>();
    private final AtomicLong nanos = new AtomicLong();
    private final SparingLog log = new SparingLog(new Said(), nanos::get);

    /** Keeps what is logged. */
    private final class Said implements System.Logger {
        @Override
        public String getName() {
            return "said";
        }

        @Override
        public boolean isLoggable(Level level) {
            return level != Level.TRACE;
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String message, @Nullable Throwable thrown) {
            said.add(level + " " + message + (thrown == null ? "" : " " + thrown.getMessage()));
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String format, @Nullable Object... values) {
            said.add(level + " " + format);
        }
    }

    private void fail(int times) {
        for (int time = 0; time < times; time++) {
            log.log(Level.WARNING, () -> "It failed.");
        }
    }

    @Test
    void whatIsTooMuchIsCountedAndToldBeforeTheNextLine() {
        fail(SparingLog.MOST + 1_000);
        assertThat(said).hasSize(SparingLog.MOST).containsOnly("WARNING It failed.");

        nanos.addAndGet(SparingLog.SPAN.toNanos());
        fail(2);
        assertThat(said.subList(SparingLog.MOST, said.size()))
                .containsExactly(
                        "WARNING 1000 lines like these were left out before this one.",
                        "WARNING It failed.",
                        "WARNING It failed.");
    }

    @Test
    void logWith_ofALineThatIsLeftOut_doesNotMakeItsError() {
        AtomicLong made = new AtomicLong();
        for (int time = 0; time < SparingLog.MOST + 1_000; time++) {
            log.logWith(
                    Level.WARNING, () -> "It failed:", () -> new IllegalStateException("no " + made.incrementAndGet()));
        }
        assertThat(made).hasValue(SparingLog.MOST);
        assertThat(said).hasSize(SparingLog.MOST).startsWith("WARNING It failed: no 1");
    }

    @Test
    void aFewAreAllWritten() {
        for (int span = 0; span < 5; span++) {
            fail(SparingLog.MOST);
            nanos.addAndGet(SparingLog.SPAN.toNanos());
        }
        assertThat(said).hasSize(5 * SparingLog.MOST).containsOnly("WARNING It failed.");
    }

    @Test
    void whatIsForDebuggingIsNeitherCountedNorHeldBack() {
        for (int time = 0; time < 100; time++) {
            log.log(Level.DEBUG, () -> "Looked.", new IllegalStateException("why"));
        }
        fail(1);
        assertThat(said).hasSize(101).contains("DEBUG Looked. why").endsWith("WARNING It failed.");
    }

    @Test
    void nobodyAsksForALineThatNobodyWants() {
        log.log(Level.TRACE, () -> {
            throw new AssertionError("it was made");
        });
        assertThat(said).isEmpty();
    }
}
