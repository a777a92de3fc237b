package io.perdure.core.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Store;
import io.perdure.sdk.environment.Environment;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class StoreClockTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration MOMENT = Duration.ofNanos(100_000);

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong steppedBackNanos = new AtomicLong();
    private final AtomicInteger asked = new AtomicInteger();
    private final StoreClock clock =
            new StoreClock(answering(Store.class, this::now), answering(Environment.class, nanos::get));

    private Instant now() {
        asked.incrementAndGet();
        return START.plusNanos(nanos.get() - steppedBackNanos.get());
    }

    /** Something whose only method that is called returns this. */
    private static <T> T answering(Class<T> type, Supplier<Object> answer) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, _, _) -> answer.get()));
    }

    private void pass(Duration by) {
        nanos.addAndGet(by.toNanos());
    }

    @Test
    void until_afterTheStoresClockSteppedBack_asksAgainBeforeSomethingIsDue() {
        assertThat(clock.until(START.plusSeconds(3))).isEqualTo(Duration.ofSeconds(3));
        pass(Duration.ofSeconds(4));
        steppedBackNanos.set(Duration.ofSeconds(30).toNanos());

        assertThat(clock.until(START.plusSeconds(3))).isEqualTo(Duration.ofSeconds(29));
        assertThat(asked).hasValue(2);
    }

    @Test
    void until_whileSomethingIsDueAgainAndAgain_asksOncePerSecond() {
        for (int times = 0; times < 50; times++) {
            assertThat(clock.until(START)).isEqualTo(MOMENT);
            pass(Duration.ofMillis(100));
        }

        assertThat(asked.get()).isBetween(4, 5);
    }

    @Test
    void until_ofSomethingYetToCome_asksRarely() {
        for (int seconds = 0; seconds <= 10; seconds++) {
            assertThat(clock.until(START.plusSeconds(60))).isEqualTo(Duration.ofSeconds(60L - seconds));
            pass(Duration.ofSeconds(1));
        }

        assertThat(asked).hasValue(1);
    }
}
