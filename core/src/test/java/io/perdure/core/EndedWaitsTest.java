package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.queue.Dismissal;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Receiving;
import io.perdure.sdk.run.Following;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Time stands still here: whoever's wait is over was told so. */
class EndedWaitsTest extends PerdureFixture {
    private static final String WAITER = "waiter";

    private final Run<Json> run = perdure.start("order", Json.NULL, StartOptions.defaults());

    private <T> CompletableFuture<T> waiting(Supplier<T> wait) throws InterruptedException {
        CompletableFuture<T> answer = new CompletableFuture<>();
        time.start(WAITER, () -> {
            try {
                answer.complete(wait.get());
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        time.awaitIdle(WAITER, 1);
        return answer;
    }

    private ErrorCode noResult(Duration atMost) {
        try {
            run.result(atMost);
            throw new AssertionError("a result of a run that nobody works on");
        } catch (PerdureException e) {
            return e.code();
        }
    }

    @Test
    void receiversAnswerEmptyAndTheOnesToComeDoAtOnce() throws Exception {
        Receiver receiver = waitingReceiver();

        perdure.endWaits();

        assertThat(receiver.received()).isEmpty();
        assertThat(receiver.thread().isInterrupted()).isFalse();
        assertThat(mail.receive(Receiving.defaults().waiting(LONG))).isEmpty();
    }

    @Test
    void whatIsThereIsStillReceived() {
        perdure.endWaits();
        mail.send(BODY);

        assertThat(mail.receive(Receiving.defaults().waiting(LONG))).hasSize(1);
    }

    @Test
    void whoWaitsForARunHearsHowItStands() throws Exception {
        CompletableFuture<ErrorCode> heard = waiting(() -> noResult(LONG));

        perdure.endWaits();

        assertThat(heard).succeedsWithin(VirtualTime.PATIENCE).isEqualTo(ErrorCode.NO_RESULT_YET);
        assertThat(noResult(LONG)).isEqualTo(ErrorCode.NO_RESULT_YET);
    }

    @Test
    void whoFollowsARunHearsNothingMore() throws Exception {
        try (Following following = run.follow(1)) {
            CompletableFuture<Integer> heard =
                    waiting(() -> following.next(LONG).size());

            perdure.endWaits();

            assertThat(heard).succeedsWithin(VirtualTime.PATIENCE).isEqualTo(0);
            assertThat(following.isOver()).isFalse();
        }
    }

    @Test
    void dismiss_whileAReceiveWaits_endsThatOneOnly() throws Exception {
        Receiver other = waitingReceiver();
        Dismissal dismissal = new Dismissal();
        CompletableFuture<Integer> dismissed = waiting(() -> dismissal.during(
                () -> mail.receive(Receiving.defaults().waiting(LONG)).size()));

        dismissal.dismiss();

        assertThat(dismissed).succeedsWithin(VirtualTime.PATIENCE).isEqualTo(0);
        mail.send(BODY);
        assertThat(other.received()).hasSize(1);
    }

    @Test
    void dismiss_whileAResultIsAwaited_endsTheWait() throws Exception {
        Dismissal dismissal = new Dismissal();
        CompletableFuture<ErrorCode> heard = waiting(() -> dismissal.during(() -> noResult(LONG)));

        dismissal.dismiss();

        assertThat(heard).succeedsWithin(VirtualTime.PATIENCE).isEqualTo(ErrorCode.NO_RESULT_YET);
    }

    @Test
    void dismiss_whileARunIsFollowed_endsTheWait() throws Exception {
        Dismissal dismissal = new Dismissal();
        try (Following following = run.follow(1)) {
            CompletableFuture<Integer> heard =
                    waiting(() -> dismissal.during(() -> following.next(LONG).size()));

            dismissal.dismiss();

            assertThat(heard).succeedsWithin(VirtualTime.PATIENCE).isEqualTo(0);
        }
    }

    @Test
    void otherTenantsWaitNoLongerEither() throws Exception {
        Perdure other = perdure.tenant(new TenantId("other"));
        MessageQueue theirs = other.createQueue("mail");
        CompletableFuture<Integer> heard =
                waiting(() -> theirs.receive(Receiving.defaults().waiting(LONG)).size());

        perdure.endWaits();

        assertThat(heard).succeedsWithin(VirtualTime.PATIENCE).isEqualTo(0);
    }

    @Test
    void consumersGoOnWaiting() throws Exception {
        CountDownLatch handled = new CountDownLatch(1);
        try (var _ = perdure.consume(mail.name().value(), _ -> handled.countDown())) {
            time.awaitIdle("perdure-intake", 1);
            int looks = bent.count("receive");

            perdure.endWaits();
            time.awaitIdle("perdure-intake", 1);
            assertThat(bent.count("receive")).isEqualTo(looks);

            mail.send(BODY);
            assertThat(handled.await(VirtualTime.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }
    }
}
