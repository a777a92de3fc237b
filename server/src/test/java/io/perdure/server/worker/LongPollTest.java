package io.perdure.server.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonArray;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.wire.Hints;
import io.perdure.sdk.wire.Terms;
import io.perdure.server.http.Gate;
import io.perdure.server.worker.RawWorker.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that wait are answered when there is something to answer, and not before. */
class LongPollTest {
    private static final String SERVED = "\"served\": [{\"workflow\": \"sample\", \"versions\": [1]}]";
    private static final String CLAIM = "{" + SERVED + ", \"max\": 10, \"wait\": \"PT60S\"}";
    private static final String POLL = "{" + SERVED + ", \"wait\": \"PT60S\"}";

    @TempDir
    Path folder;

    /** Sooner than a request that waits ends by itself. */
    private static final int BEFORE_ITS_END_SECONDS = 50;

    private final AtomicInteger admitted = new AtomicInteger();
    private TestServer server;
    private RawWorker worker;

    @SuppressWarnings("NullAway.Init") // Given by JUnit, and opened before each test.
    LongPollTest() {}

    @BeforeEach
    void open() {
        Gate counting = request -> {
            admitted.incrementAndGet();
            return TestServer.WORKERS.admit(request);
        };
        server = new TestServer("jdbc:sqlite:" + folder.resolve("app.db"), 0, counting, Set.of(Terms.PROTOCOL));
        worker = new RawWorker(server.port());
    }

    @AfterEach
    void close() {
        worker.close();
        server.close();
    }

    private Run<Json> start(StartOptions options) {
        return server.perdure().start("sample", Json.NULL, options);
    }

    /** Sees requests reach the server. */
    private void begin(FutureTask<?>... tasks) throws InterruptedException {
        int before = admitted.get();
        for (FutureTask<?> task : tasks) {
            Thread.ofVirtual().start(task);
        }
        Waiting.until(() -> admitted.get() == before + tasks.length);
    }

    /** Sees a request reach the server and wait there. */
    private <T> FutureTask<T> waiting(Callable<T> call) throws InterruptedException {
        FutureTask<T> task = new FutureTask<>(call);
        int before = server.waiting();
        begin(task);
        Waiting.until(() -> server.waiting() > before);
        assertThat(task.isDone()).isFalse();
        return task;
    }

    private static <T> T answer(FutureTask<T> task) throws Exception {
        return task.get(BEFORE_ITS_END_SECONDS, TimeUnit.SECONDS);
    }

    private static List<Json> runs(Answer answer) {
        return JsonArray.parse(answer.json().value("runs"));
    }

    private Hints poll() throws IOException, InterruptedException {
        return Hints.read(Json.of(worker.post("/watch", POLL).response().body()));
    }

    @Test
    void aClaimIsAnsweredAsSoonAsARunIsThere() throws Exception {
        FutureTask<Answer> claim = waiting(() -> worker.post("/claim", CLAIM));
        start(StartOptions.defaults());

        assertThat(runs(answer(claim))).hasSize(1);
    }

    @Test
    void aClaimWakesByItselfWhenARunBecomesDue() throws Exception {
        Duration delay = Duration.ofSeconds(1);
        Run<Json> run = start(StartOptions.defaults().delay(delay));
        FutureTask<Answer> claim = new FutureTask<>(() -> worker.post("/claim", CLAIM));
        begin(claim);

        assertThat(runs(answer(claim))).hasSize(1);
        assertThat(server.perdure().now())
                .isAfterOrEqualTo(run.info().startedAt().plus(delay));
    }

    @Test
    void aClaimThatDoesNotWaitSaysWhenTheNextIsDue() throws Exception {
        start(StartOptions.defaults().delay(Duration.ofHours(1)));
        Answer answer = worker.post("/claim", "{" + SERVED + ", \"max\": 10}");

        assertThat(runs(answer)).isEmpty();
        assertThat(Duration.parse(answer.json().string("nextIn")))
                .isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
    }

    @Test
    void anUnknownWorkerIsToldAtOnceToLookAndThenWhatHappens() throws Exception {
        assertThat(poll()).isEqualTo(new Hints(true, List.of()));
        FutureTask<Hints> next = waiting(this::poll);
        start(StartOptions.defaults());

        assertThat(answer(next)).isEqualTo(new Hints(true, List.of()));
    }

    @Test
    void onlyTheEndOfWhatItHasInHandIsTold() throws Exception {
        Run<Json> held = start(StartOptions.defaults());
        poll();
        assertThat(runs(worker.post("/claim", CLAIM))).hasSize(1);
        Run<Json> other = start(StartOptions.defaults());
        assertThat(poll().due()).isTrue();
        server.perdure().cancel(other.id(), "not in hand");
        server.perdure().cancel(held.id(), "in hand");

        assertThat(pollForEnded().ended()).containsExactly(held.id());
    }

    private Hints pollForEnded() throws IOException, InterruptedException {
        Hints hints = poll();
        while (hints.ended().isEmpty()) {
            hints = poll();
        }
        return hints;
    }

    /** A number that no box of this server can have given: they begin at 1. */
    private static final long OF_ANOTHER_SERVER = Long.MAX_VALUE;

    @Test
    void whatDidNotArriveIsHadAgainByTheNextClaim() throws Exception {
        poll();
        Run<Json> run = start(StartOptions.defaults());
        Answer first = worker.post("/claim", CLAIM);
        String lost = JsonObject.parse(runs(first).getFirst()).string("token");
        assertThat(runs(worker.post("/claim", claimAfter(OF_ANOTHER_SERVER))))
                .as("an answer of another server's says nothing of ours")
                .isEmpty();
        Run<Json> next = start(StartOptions.defaults());
        assertThat(runs(worker.post("/claim", CLAIM)))
                .as("who says nothing gives nothing back")
                .hasSize(1);
        Answer second = worker.post("/claim", claimAfter(0));
        JsonObject again = JsonObject.parse(runs(second).getFirst());

        assertThat(again.string("run"))
                .isEqualTo(next.id().toString())
                .isNotEqualTo(run.id().toString());
        assertThat(again.string("token")).isNotEqualTo(lost);
        assertThat(again.integer("lapses")).isZero();
        long received = second.json().integer("number");
        assertThat(runs(worker.post("/claim", claimAfter(received)))).isEmpty();
    }

    private static String claimAfter(long received) {
        return "{" + SERVED + ", \"max\": 10, \"received\": " + received + "}";
    }

    @Test
    void aSecondPollTakesThePlaceOfTheFirst() throws Exception {
        poll();
        FutureTask<Hints> one = new FutureTask<>(this::poll);
        FutureTask<Hints> other = new FutureTask<>(this::poll);
        begin(one, other);
        Waiting.until(() -> one.isDone() || other.isDone());
        // Whichever came first.
        FutureTask<Hints> first = one.isDone() ? one : other;
        FutureTask<Hints> second = one.isDone() ? other : one;

        assertThat(first.get()).isEqualTo(new Hints(false, List.of()));
        assertThat(second.isDone()).isFalse();
        start(StartOptions.defaults());
        assertThat(answer(second).due()).isTrue();
    }

    @Test
    void nobodyIsLeftWaitingWhenTheServerEnds() throws Exception {
        poll();
        FutureTask<Answer> claim = waiting(() -> worker.post("/claim", CLAIM));
        FutureTask<Hints> hints = waiting(this::poll);
        Thread closing = Thread.ofVirtual().start(server::close);

        assertThat(runs(answer(claim))).isEmpty();
        assertThat(answer(hints)).isEqualTo(new Hints(false, List.of()));
        closing.join();
    }

    @Test
    void whatARunHasInItsMailboxIsTold() throws Exception {
        Run<Json> run = start(StartOptions.defaults());
        server.perdure().signal(run.id(), "verified", 1);
        JsonObject assigned =
                JsonObject.parse(runs(worker.post("/claim", CLAIM)).getFirst());
        String held =
                "{\"run\": \"%s\", \"token\": \"%s\"}".formatted(assigned.string("run"), assigned.string("token"));
        server.perdure().signal(run.id(), "verified", 2);
        JsonObject mailbox =
                JsonObject.parse(worker.post("/mailbox", held).json().value("mailbox"));

        assertThat(mailbox.integer("wakes")).isEqualTo(2);
        assertThat(JsonArray.parse(mailbox.value("letters"))).hasSize(2);
        assertThat(worker.post("/extend", "{\"leases\": [" + held + "]}")
                        .json()
                        .value("lost")
                        .text())
                .isEqualTo("[]");
    }
}
