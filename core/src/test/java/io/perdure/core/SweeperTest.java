package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Sweeper;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.QueueSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SweeperTest extends PerdureFixture {
    private static final String SWEEPER = "perdure-sweeper";
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(90);

    /** Lets the pause between two rounds pass, and returns when the next pause has begun. */
    private void nextRound() throws InterruptedException {
        time.awaitIdle(SWEEPER, 1);
        int sweeps = bent.count("sweep");
        time.pass(LONGEST_PAUSE);
        awaitCalls("sweep", sweeps + 1);
        time.awaitIdle(SWEEPER, 1);
    }

    @Test
    void expiredMessagesGoWithoutAnybodyAskingHoweverManyTheyAre() throws InterruptedException {
        var brief = perdure.createQueue("brief", QueueSettings.defaults().retention(Duration.ofMinutes(1)));
        for (int i = 0; i < 25; i++) {
            brief.sendAll(IntStream.range(0, 100)
                    .mapToObj(number -> Outgoing.of(Json.number(number)))
                    .toList());
        }

        nextRound();
        assertThat(figures("brief").expired()).as("a step").isEqualTo(1000);
        while (figures("brief").expired() < 2500) {
            time.awaitIdle(SWEEPER, 1);
            time.pass(Duration.ofMillis(10));
        }

        assertThat(figures("brief").expired()).isEqualTo(2500);
        assertThat(figures("brief").ready()).isZero();
        assertThat(perdure.sweepFailure()).isEmpty();
    }

    @Test
    void step_thatTookLongAndDidLittle_isFollowedByAnother() throws InterruptedException {
        perdure.close();
        AtomicInteger steps = new AtomicInteger();
        Sweeper.Chore slowAtFirst = _ -> {
            if (steps.incrementAndGet() == 1) {
                time.pass(Duration.ofSeconds(1));
            }
            return 1;
        };
        try (Sweeper sweeper = new Sweeper(time, Duration.ofMinutes(1), 1_000, List.of(slowAtFirst))) {
            sweeper.start();
            time.awaitIdle(SWEEPER, 1);
            time.pass(LONGEST_PAUSE);
            await(() -> steps.get() == 1);
            time.awaitIdle(SWEEPER, 1);
            time.pass(Duration.ofSeconds(9));
            await(() -> steps.get() == 2);
        }
    }

    private static void await(BooleanSupplier holds) {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    @Test
    void aStoreThatFailsIsSweptAgainLater() throws InterruptedException {
        StoreException busy = new StoreException(ErrorCode.STORE_BUSY, "Locked.");
        bent.fail("sweep", busy);
        nextRound();
        assertThat(perdure.sweepFailure()).contains(busy);

        bent.heal("sweep");
        nextRound();
        assertThat(perdure.sweepFailure()).isEmpty();
    }

    @Test
    void anEngineThatWroteSweepsOnceMoreWhenItIsClosed() {
        mail.send(BODY);
        int sweeps = bent.count("sweep");

        perdure.close();
        perdure.close();

        assertThat(bent.count("sweep") - sweeps).isEqualTo(3);
    }

    @Test
    void itEndsWithTheEngine() throws InterruptedException {
        nextRound();

        perdure.close();
        int sweeps = bent.count("sweep");
        time.pass(LONGEST_PAUSE.multipliedBy(2));

        time.awaitIdle(SWEEPER, 0);
        assertThat(bent.count("sweep")).isEqualTo(sweeps);
    }
}
