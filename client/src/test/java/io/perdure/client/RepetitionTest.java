package io.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.key.Role;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.Receiving;
import io.perdure.sdk.queue.SentMessage;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.run.StartOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is sent again, and what is not. */
class RepetitionTest {
    private static final RunId RUN = RunVerbsTest.RUN;
    private static final String QUEUE = QueueVerbsTest.status("orders");

    private final ScriptedServer server = new ScriptedServer();
    private final SkippingTime time = new SkippingTime();
    private final PerdureClient client = server.client(ConnectOptions.defaults(), time);

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private static PerdureException busy() {
        return new StoreException(ErrorCode.STORE_BUSY, "Busy.");
    }

    private static PerdureException unknown() {
        return new StoreException(ErrorCode.OUTCOME_UNKNOWN, "No answer.");
    }

    private void assertOneRequestSent(int times) {
        assertTheSameSent(times);
        assertThat(server.asked().getFirst().request()).isNotNull();
    }

    /** What says by itself how it can be told from others bears no request id, which servers would have to note. */
    private void assertOneRequestSentWithoutAnId(int times) {
        assertTheSameSent(times);
        assertThat(server.asked().getFirst().request()).isNull();
    }

    private void assertTheSameSent(int times) {
        assertThat(server.asked()).hasSize(times);
        assertThat(server.asked().stream()
                        .map(asked -> asked.line() + asked.body() + asked.request())
                        .distinct())
                .hasSize(1);
        assertThat(server.asked().getFirst().again()).isNull();
    }

    @Test
    void aStartWhoseAnswerWasLostIsSentAgainUnderTheSameIds() {
        server.then(ScriptedServer.dropped(), exchange -> {
            String id =
                    JsonObject.parse(Json.of(server.asked().getLast().body())).string("runId");
            ScriptedServer.answer(200, "{\"runId\":\"" + id + "\",\"created\":false,\"status\":\"running\"}")
                    .answer(exchange);
        });

        assertThat(client.start("length", Json.NULL, StartOptions.defaults()).created())
                .isTrue();
        assertOneRequestSentWithoutAnId(2);
    }

    @Test
    void aSignalWhoseAnswerWasLostIsOneSignal() {
        server.then(ScriptedServer.dropped()).then("{\"created\":false}");

        assertThat(client.signal(RUN, "paid", 1)).isTrue();
        assertOneRequestSentWithoutAnId(2);
    }

    @Test
    void aSendWhoseAnswerWasLostIsOneSend() {
        server.then(QUEUE);
        MessageQueue queue = client.queue("orders");
        server.only();
        server.then(ScriptedServer.dropped(), ScriptedServer.problem(503, unknown()))
                .then(QueueVerbsTest.sent(false, false));

        List<SentMessage> sent = queue.sendAll(
                List.of(Outgoing.of(Json.number(1)), Outgoing.of(Json.number(2)).deduplicationId("mine")));

        assertThat(sent).extracting(SentMessage::created).containsExactly(true, false);
        assertOneRequestSentWithoutAnId(3);
    }

    @Test
    void aCancelIsSentAgain() {
        server.then(ScriptedServer.dropped())
                .then("{\"runId\":\"" + RUN + "\",\"status\":\"cancelled\",\"cancelled\":true}");

        assertThat(client.cancel(RUN, "why")).isTrue();
        assertOneRequestSent(2);
    }

    @Test
    void whatMayHaveBeenDoneIsSentAgainUnderItsIdAndMarkedSo() {
        server.then(
                        ScriptedServer.dropped(),
                        ScriptedServer.problem(503, unknown()),
                        ScriptedServer.answer(504, "gateway timeout"))
                .then("{\"runId\":\"" + RUN + "\",\"status\":\"running\"}");

        client.redrive(RUN, "up again");

        assertOneRequestSent(4);
        assertThat(server.asked().stream().skip(1)).allMatch(asked -> "true".equals(asked.again()));
    }

    @Test
    void everyChangeThatServersDoOnceIsSentAgain() {
        server.then(QUEUE);
        MessageQueue queue = client.queue("orders");
        server.only();
        String running = "{\"runId\":\"" + RUN + "\",\"status\":\"running\"}";
        String fate = "{\"fate\":\"released\"}";
        Receipt receipt = new Receipt(QueueVerbsTest.FIRST, UUID.randomUUID());
        Map<Runnable, String> changes = Map.of(
                () -> client.resume(RUN, "mended"),
                running,
                () -> client.resume(RUN, "mended", 2),
                running,
                queue::purge,
                "{\"purged\":1}",
                queue::delete,
                "",
                () -> queue.deadLetters().redrive(List.of(QueueVerbsTest.FIRST)),
                "{\"count\":1,\"missing\":[]}",
                () -> queue.deadLetters().discard(List.of(QueueVerbsTest.FIRST)),
                "{\"count\":1,\"missing\":[]}",
                () -> queue.deadLetters().redriveAll(_ -> {}),
                "{\"count\":1,\"missing\":[]}",
                () -> client.release(receipt),
                fate,
                () -> client.reject(receipt, "bad"),
                fate);
        changes.forEach((change, answer) -> {
            server.then(ScriptedServer.dropped()).then(ScriptedServer.answer(answer.isEmpty() ? 204 : 200, answer));
            change.run();
            assertOneRequestSent(2);
            assertThat(server.asked().getLast().again()).isEqualTo("true");
            server.forget();
        });
    }

    @Test
    void whatCanBeDoneTwiceIsSentAgainWithoutAnId() {
        Receipt receipt = new Receipt(QueueVerbsTest.FIRST, UUID.randomUUID());
        Map<Runnable, String> changes = Map.of(
                () -> client.ackAll(List.of(receipt)),
                "{\"acked\":1,\"late\":[]}",
                () -> client.extend(receipt, Duration.ofSeconds(9)),
                "{\"leasedUntil\":\"2026-01-01T00:00:00Z\"}");
        changes.forEach((change, answer) -> {
            server.then(ScriptedServer.dropped()).then(answer);
            change.run();
            assertOneRequestSentWithoutAnId(2);
            assertThat(server.asked().getLast().again()).isEqualTo("true");
            server.forget();
        });
    }

    @Test
    void aKeyIsMadeOnce() {
        server.then(ScriptedServer.dropped());
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> client.keys().create("billing", Role.CLIENT, null))
                .returns(ErrorCode.OUTCOME_UNKNOWN, PerdureException::code);
        assertThat(server.asked()).hasSize(1);
    }

    @Test
    void whatWasNotDoneIsNotMarkedAsSentAgain() {
        server.then(ScriptedServer.problem(503, busy())).then("{\"runId\":\"" + RUN + "\",\"status\":\"running\"}");
        client.redrive(RUN, "up again");
        assertThat(server.asked()).hasSize(2).allMatch(asked -> asked.again() == null);
    }

    @Test
    void whatWasNotDoneIsSentAgain() {
        server.then(
                        ScriptedServer.problem(503, busy()),
                        ScriptedServer.problem(429, new RefusedException(ErrorCode.TOO_MANY_REQUESTS, "Too many.")))
                .then("{\"runId\":\"" + RUN + "\",\"status\":\"running\"}");

        client.redrive(RUN, "up again");

        assertOneRequestSent(3);
    }

    @Test
    void aReceiveWhoseAnswerWasLostIsNotSentAgain() {
        server.then(QUEUE);
        MessageQueue queue = client.queue("orders");
        server.only();
        server.then(ScriptedServer.problem(503, busy()), ScriptedServer.dropped());

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> queue.receive(Receiving.upTo(3)))
                .returns(ErrorCode.OUTCOME_UNKNOWN, PerdureException::code);
        assertThat(server.asked()).hasSize(2);
    }

    @Test
    void aServerThatSaysWhenToComeAgainIsObeyed() {
        server.then(ScriptedServer.problem(429, new RefusedException(ErrorCode.TOO_MANY_REQUESTS, "Too many."), 7))
                .then("{\"count\":1}");

        assertThat(client.count(RunFilter.all())).isEqualTo(1);
        assertThat(time.waits()).containsExactly(Duration.ofSeconds(7));
    }

    @Test
    void patienceEnds() {
        for (int i = 0; i < 200; i++) {
            server.then(ScriptedServer.problem(503, busy()));
        }

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> client.count(RunFilter.all()))
                .returns(ErrorCode.STORE_BUSY, PerdureException::code);
        Duration waited = time.waits().stream().reduce(Duration.ZERO, Duration::plus);
        assertThat(waited).isBetween(Duration.ofSeconds(25), Duration.ofSeconds(30));
    }

    @Test
    void aServerThatIsNotThereIsUnreachable() {
        server.close();

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> client.redrive(RUN, "up again"))
                .returns(ErrorCode.SERVER_UNREACHABLE, PerdureException::code);
        assertThat(time.waits()).hasSizeGreaterThan(10);
    }

    @Test
    void whatIsRefusedIsNotSentAgain() {
        server.then(ScriptedServer.problem(422, new InvalidValueException(ErrorCode.OUT_OF_BOUNDS, "Too much.")));

        assertThatExceptionOfType(InvalidValueException.class).isThrownBy(() -> client.redrive(RUN, "up again"));
        assertThat(server.asked()).hasSize(1);
    }

    @Test
    void whatSomebodyElseAnswersIsNotSentAgain() {
        server.then(ScriptedServer.answer(404, "<html>Not Found</html>"));

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> client.redrive(RUN, "up again"))
                .returns(ErrorCode.PROTOCOL_MISMATCH, PerdureException::code);
        assertThat(server.asked()).hasSize(1);
    }

    @Test
    void aServerThatSaysToComeWhenPatienceIsOverIsNotWaitedFor() {
        try (PerdureClient hasty = server.client(ConnectOptions.defaults().patience(Duration.ofSeconds(5)), time)) {
            server.then(ScriptedServer.problem(503, busy(), 20));
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> hasty.count(RunFilter.all()))
                    .returns(ErrorCode.STORE_BUSY, PerdureException::code);
        }
        assertThat(server.asked()).hasSize(1);
        assertThat(time.waits()).isEmpty();
    }

    @Test
    void whoIsInterruptedDoesNotTryAgain() {
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> client.redrive(RUN, "up again"))
                .returns(ErrorCode.OUTCOME_UNKNOWN, PerdureException::code);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(time.waits()).isEmpty();
    }

    @Test
    void withoutPatienceNothingIsSentAgain() {
        try (PerdureClient hasty = server.client(ConnectOptions.defaults().patience(Duration.ZERO), time)) {
            server.then(ScriptedServer.problem(503, busy()));
            assertThatExceptionOfType(StoreException.class).isThrownBy(() -> hasty.count(RunFilter.all()));
        }
        assertThat(server.asked()).hasSize(1);
        assertThat(time.waits()).isEmpty();
    }

    @Test
    void aCloseEndsThePauseBetweenTwoTries() {
        CountDownLatch paused = new CountDownLatch(1);
        server.then(ScriptedServer.problem(503, busy(), 30), exchange -> paused.countDown());
        PerdureClient patient =
                server.client(ConnectOptions.defaults().patience(Duration.ofMinutes(2)), new SystemEnvironment());
        Later<ErrorCode> heard = new Later<>();
        new SystemEnvironment()
                .start(
                        "asker",
                        () -> heard.complete(() -> {
                            try {
                                patient.cancel(RUN, "why");
                                return ErrorCode.FAULT;
                            } catch (StoreException e) {
                                return e.code();
                            }
                        }));
        Eventually.holds(() -> !server.asked().isEmpty());

        patient.close();

        assertThat(heard.await()).isEqualTo(ErrorCode.STORE_CLOSED);
        assertThat(paused.getCount()).isEqualTo(1);
    }
}
