package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Following;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Time stands still, so that whoever is woken was woken by a hint, or by the test that moves the time. */
class FollowingTest extends PerdureFixture {
    private static final Duration A_DAY = Duration.ofDays(1);
    private static final String FOLLOWER = "follower";

    private final Run<Json> run = perdure.start("order", Json.NULL, StartOptions.defaults());

    private static List<Class<?>> kinds(List<Recorded> events) {
        return events.stream()
                .<Class<?>>map(recorded -> recorded.event().getClass())
                .toList();
    }

    /** What a thread is told that waits for more. */
    private CompletableFuture<List<Recorded>> waitFor(Following following) throws InterruptedException {
        CompletableFuture<List<Recorded>> told = new CompletableFuture<>();
        time.start(FOLLOWER, () -> {
            try {
                told.complete(following.next(A_DAY));
            } catch (RuntimeException e) {
                told.completeExceptionally(e);
            }
        });
        time.awaitIdle(FOLLOWER, 1);
        return told;
    }

    @Test
    void whatHasHappenedIsToldAtOnceAndTheEndEndsIt() {
        perdure.cancel(run.id(), "enough");

        try (Following following = run.follow(0)) {
            assertThat(following.isOver()).isFalse();
            assertThat(kinds(following.next(A_DAY))).containsExactly(Event.RunCreated.class, Event.RunCancelled.class);
            assertThat(following.isOver()).isTrue();
            assertThat(following.next(A_DAY)).isEmpty();
        }
    }

    @Test
    void whoFollowsIsToldOfTheEndByAHint() throws Exception {
        try (Following following = run.follow(1)) {
            CompletableFuture<List<Recorded>> told = waitFor(following);
            perdure.cancel(run.id(), "enough");

            assertThat(kinds(told.get(60, TimeUnit.SECONDS))).containsExactly(Event.RunCancelled.class);
            assertThat(following.isOver()).isTrue();
        }
    }

    @Test
    void whatNoHintTellsOfIsFoundAfterAFifthOfASecond() throws Exception {
        bent.loseHints();
        try (Following following = run.follow(1)) {
            CompletableFuture<List<Recorded>> told = waitFor(following);
            perdure.cancel(run.id(), "enough");
            assertThat(told).isNotDone();

            time.pass(Duration.ofMillis(200));

            assertThat(kinds(told.get(60, TimeUnit.SECONDS))).containsExactly(Event.RunCancelled.class);
        }
    }

    @Test
    void nothingIsToldWhereTheTimeIsOverAndTheRunIsNot() {
        try (Following following = run.follow(0)) {
            assertThat(following.next(Duration.ZERO)).hasSize(1);
            assertThat(following.next(Duration.ZERO)).isEmpty();
            assertThat(following.isOver()).isFalse();
        }
    }

    @Test
    void anEndBeforeTheFirstEventThatWasAskedForIsSeen() {
        perdure.cancel(run.id(), "enough");

        try (Following following = run.follow(17)) {
            assertThat(following.next(A_DAY)).isEmpty();
            assertThat(following.isOver()).isTrue();
        }
    }

    @Test
    void theStoreIsWatchedOnceWhoeverFollowsAndOnlyMeanwhile() {
        int before = bent.watches();
        Following first = run.follow(0);
        int opened = bent.count("watch");
        try (first;
                Following second = run.follow(0)) {
            first.next(Duration.ZERO);
            first.next(Duration.ZERO);
            second.next(Duration.ZERO);
            assertThat(bent.watches()).isEqualTo(before + 1);
            assertThat(bent.count("watch")).isEqualTo(opened);
        }
        first.close();
        assertThat(bent.watches()).isEqualTo(before);
    }

    @Test
    void anInterruptAndTheEngineEndTheWait() throws InterruptedException {
        try (Following following = run.follow(1)) {
            Thread.currentThread().interrupt();
            assertCode(ErrorCode.NO_RESULT_YET, () -> following.next(A_DAY));
            assertThat(Thread.interrupted()).isTrue();

            CompletableFuture<List<Recorded>> told = waitFor(following);
            perdure.close();
            assertThat(told)
                    .failsWithin(VirtualTime.PATIENCE)
                    .withThrowableThat()
                    .withMessageContaining("PD-203");
        }
    }

    @Test
    void aRunThatIsNotThereCannotBeFollowed() {
        RunId nobody = time.ids().runId();
        assertCode(ErrorCode.NO_SUCH_RUN, () -> perdure.run(nobody).follow(0));
    }
}
