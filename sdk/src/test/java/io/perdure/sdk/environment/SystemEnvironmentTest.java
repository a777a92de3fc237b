package io.perdure.sdk.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SystemEnvironmentTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final SystemEnvironment environment = new SystemEnvironment();

    @Test
    void aRingBeforeTheWaitIsKeptAndSeveralCountAsOne() throws InterruptedException {
        Bell bell = environment.bell();
        bell.ring();
        bell.ring();

        assertThat(bell.await(LONG)).isTrue();
        assertThat(bell.await(Duration.ofMillis(1))).isFalse();
    }

    @Test
    void aRingWakesAThreadThatWaits() throws InterruptedException {
        Bell bell = environment.bell();
        CompletableFuture<Boolean> rung = new CompletableFuture<>();
        Thread waiter = environment.start("waiter", () -> {
            try {
                rung.complete(bell.await(LONG));
            } catch (InterruptedException e) {
                rung.completeExceptionally(e);
            }
        });
        bell.ring();
        waiter.join();

        assertThat(rung).isCompletedWithValue(true);
        assertThat(waiter.isVirtual()).isTrue();
        assertThat(waiter.getName()).isEqualTo("waiter");
    }

    @Test
    void aWaitOfCenturiesIsAWait() throws InterruptedException {
        Bell bell = environment.bell();
        bell.ring();

        assertThat(bell.await(Duration.ofDays(365 * 7_000))).isTrue();
    }

    @Test
    void aSleepLastsAtLeastAsLongAsItWasTold() throws InterruptedException {
        long before = environment.nanoTime();
        environment.sleep(Duration.ofMillis(5));

        assertThat(environment.nanoTime() - before).isGreaterThanOrEqualTo(5_000_000);
    }

    @Test
    void idsAndChanceAreThere() {
        assertThat(environment.ids().runId()).isNotEqualTo(environment.ids().runId());
        assertThat(environment.random().nextLong())
                .isNotEqualTo(environment.random().nextLong());
        assertThat(environment.clock().instant()).isNotNull();
    }
}
