package io.perdure.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.core.queue.Dismissal;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.TenantId;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class WaitingTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final Duration LONG = Duration.ofDays(1);

    private final SystemEnvironment environment = new SystemEnvironment();
    private final ControlledConnection connection = new ControlledConnection();

    /** Waits at a bell until it is dismissed. */
    private String untilDismissed(Duration atMost) {
        Bell bell = environment.bell();
        Dismissal dismissal = Dismissal.current();
        dismissal.waitAt(bell);
        try {
            while (!dismissal.isDismissed() && bell.await(atMost)) {
                // Looks again.
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return dismissal.isDismissed() ? "dismissed" : "over";
    }

    @Test
    void await_whenTheCallerHangsUp_endsAtOnceAndGivesItsPlaceBack() throws InterruptedException {
        Waiting waiting = new Waiting(1);
        CompletableFuture<String> answer = new CompletableFuture<>();
        environment.start(
                "waiter",
                () -> connection.bound(() -> answer.complete(
                        waiting.await(ACME, LONG, this::untilDismissed, brought -> brought + ", taken back"))));
        io.perdure.server.worker.Waiting.until(() -> connection.watchers() == 1);

        connection.hangUp();

        assertThat(answer).succeedsWithin(Duration.ofSeconds(60)).isEqualTo("dismissed, taken back");
        assertThat(waiting.count()).isZero();
        assertThat(connection.watchers()).isZero();
    }

    @Test
    void await_whenTheCallerHasHungUpBefore_endsAtOnce() {
        connection.hangUp();

        assertThat(awaited(this::untilDismissed)).isEqualTo("dismissed, taken back");
    }

    @Test
    void await_whenTheCallerStays_keepsWhatTheWaitBrought() {
        assertThat(awaited(_ -> "brought")).isEqualTo("brought");
    }

    private String awaited(Function<Duration, String> wait) {
        AtomicReference<String> answer = new AtomicReference<>("none");
        connection.bound(() -> answer.set(new Waiting(1).await(ACME, LONG, wait, brought -> brought + ", taken back")));
        return answer.get();
    }

    @Test
    void await_withoutAPlace_namesTheLimitAndTheFlag() {
        Waiting waiting = new Waiting(1);
        waiting.await(
                ACME,
                LONG,
                _ -> {
                    assertThatExceptionOfType(RefusedException.class)
                            .isThrownBy(() -> waiting.await(ACME, LONG, _ -> "", UnaryOperator.identity()))
                            .withMessageContaining("PD-605")
                            .withMessageContaining("limit 1")
                            .withMessageContaining("--max-waiting");
                    return "";
                },
                UnaryOperator.identity());
    }
}
