package io.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonArray;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.MessagePage;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.Receiving;
import io.perdure.sdk.queue.Sending;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is sent for each verb about queues, and how its answer is read. */
class QueueVerbsTest {
    static final MessageId FIRST = MessageId.parse("01997a3e-0000-7000-8000-00000000000a");
    static final MessageId SECOND = MessageId.parse("01997a3e-0000-7000-8000-00000000000b");
    private static final UUID TOKEN = UUID.fromString("11111111-2222-4333-8444-555555555555");
    private static final String LATER = "2026-01-01T00:00:30Z";

    private final ScriptedServer server = new ScriptedServer();
    private final PerdureClient client = server.client();

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    static String status(String name) {
        return """
                {"name":"%s","settings":{"visibility":12.5,"retries":3,"deadLetters":true,"retention":345600,\
                "deadLetterRetention":345600,"maxDelay":43200},"figures":{"depth":6,"ready":1,"delayed":2,"leased":3,\
                "in":7,"out":1,"retried":0,"deadLettered":0,"expired":0},"changed":true}""".formatted(name);
    }

    static String sent(boolean... created) {
        List<String> all = new ArrayList<>();
        for (boolean one : created) {
            all.add("{\"id\":\"" + FIRST + "\",\"created\":" + one + "}");
        }
        return "{\"messages\":[" + String.join(",", all) + "]}";
    }

    private static String message(MessageId id, String more) {
        return """
                {"id":"%s","queue":"orders","body":{"n":1.50},"headers":{"a":"b"},"sentAt":"2026-01-01T00:00:00Z",\
                "expiresAt":"2026-01-05T00:00:00Z","attempts":1,"earlierAttempts":0%s}""".formatted(id, more);
    }

    private static Receipt receipt(MessageId id) {
        return new Receipt(id, TOKEN);
    }

    static String received(MessageId... ids) {
        List<String> all = new ArrayList<>();
        for (MessageId id : ids) {
            all.add(message(id, ",\"receipt\":\"" + receipt(id) + "\",\"leasedUntil\":\"" + LATER + "\""));
        }
        return "{\"messages\":[" + String.join(",", all) + "]}";
    }

    private MessageQueue queue() {
        server.then(status("orders"));
        MessageQueue queue = client.queue("orders");
        assertThat(server.only().line()).isEqualTo("GET /v1/queues/orders");
        return queue;
    }

    private List<Delivery> deliveries(MessageQueue queue, MessageId... ids) {
        server.then(received(ids));
        List<Delivery> deliveries = queue.receive();
        server.only();
        return deliveries;
    }

    @Test
    void queuesAreCreatedListedChangedAndDeleted() {
        server.then(ScriptedServer.answer(201, status("orders")));
        MessageQueue queue =
                client.createQueue("orders", QueueSettings.defaults().visibility(Duration.ofMillis(12_500)));
        ScriptedServer.Asked created = server.only();
        assertThat(created.line()).isEqualTo("POST /v1/queues");
        assertThat(created.body()).startsWith("{\"name\":\"orders\",\"visibility\":12.5,\"retries\":3,");

        server.then("{\"queues\":[" + status("orders") + "," + status("orders.dlq") + "]}");
        assertThat(client.queues()).extracting(one -> one.name().value()).containsExactly("orders", "orders.dlq");
        assertThat(server.only().line()).isEqualTo("GET /v1/queues");

        server.then(status("orders"));
        assertThat(queue.settings().visibility()).isEqualTo(Duration.ofMillis(12_500));
        server.only();

        server.then(status("orders"));
        assertThat(queue.update(QueueSettings.defaults())).isTrue();
        assertThat(server.only().line()).isEqualTo("PATCH /v1/queues/orders");

        server.then("{\"purged\":17}").then(ScriptedServer.answer(204, ""));
        assertThat(queue.purge()).isEqualTo(17);
        assertThat(server.only().line()).isEqualTo("POST /v1/queues/orders/purge");
        queue.delete();
        assertThat(server.only().line()).isEqualTo("DELETE /v1/queues/orders");
    }

    @Test
    void messagesTravelWithAllThatTheyHave() {
        MessageQueue queue = queue();
        server.then(ScriptedServer.answer(201, sent(true)));

        queue.send(Outgoing.of(Json.of("{\"n\": 1.50}"))
                .delay(Duration.ofMinutes(5))
                .group("g")
                .deduplicationId("d")
                .header("a", "b"));

        ScriptedServer.Asked asked = server.only();
        assertThat(asked.line()).isEqualTo("POST /v1/queues/orders/messages");
        assertThat(asked.body())
                .isEqualTo("[{\"body\":{\"n\": 1.50},\"delay\":300,\"group\":\"g\",\"deduplicationId\":\"d\","
                        + "\"headers\":{\"a\":\"b\"}}]");
    }

    @Test
    void sendsOfGroupsThatComeMeanwhileShareTheNextRequestInTheirOrder() {
        MessageQueue queue = queue();
        CountDownLatch handed = new CountDownLatch(1);
        boolean[] nineteen = new boolean[19];
        server.then(ScriptedServer.held(handed, ScriptedServer.answer(201, sent(true))))
                .then(ScriptedServer.answer(201, sent(nineteen)));

        Sending first = queue.sendLater(List.of(Outgoing.of(Json.number(0)).group("g")));
        Eventually.holds(() -> server.asked().size() == 1);
        List<Sending> others = IntStream.range(1, 20)
                .mapToObj(
                        i -> queue.sendLater(List.of(Outgoing.of(Json.number(i)).group("g"))))
                .toList();
        handed.countDown();

        assertThat(first.await()).hasSize(1);
        assertThat(others).allSatisfy(sending -> assertThat(sending.await()).hasSize(1));
        assertThat(others).allMatch(Sending::isDone);
        assertThat(server.asked()).hasSize(2);
        List<JsonObject> sent = JsonArray.parse(Json.of(server.asked().getLast().body())).stream()
                .map(JsonObject::parse)
                .toList();
        assertThat(sent)
                .extracting(message -> message.integer("body"))
                .isEqualTo(LongStream.range(1, 20).boxed().toList());
        // So that each is added once, also where it goes with others the next time.
        assertThat(sent)
                .extracting(message -> message.string("deduplicationId"))
                .doesNotHaveDuplicates();
        assertThat(queue.sendLater(List.of()).await()).isEmpty();
    }

    @Test
    void aSendThatIsRefusedThrowsWhereItIsAwaited() {
        MessageQueue queue = queue();
        server.then(ScriptedServer.problem(404, new RefusedException(ErrorCode.NO_SUCH_QUEUE, "Gone.")));

        Sending sending = queue.sendLater(List.of(Outgoing.of(Json.NULL)));

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(sending::await)
                .returns(ErrorCode.NO_SUCH_QUEUE, PerdureException::code);
    }

    @Test
    void messagesAreReceivedAndSettled() {
        MessageQueue queue = queue();
        server.then(received(FIRST));
        Delivery delivery = queue.receive(Receiving.upTo(5)
                        .waiting(Duration.ofSeconds(2))
                        .visibility(Duration.ofSeconds(9))
                        .matching(Json.of("{\"n\":1.5}")))
                .getFirst();
        ScriptedServer.Asked asked = server.only();
        assertThat(asked.line()).isEqualTo("POST /v1/queues/orders/receive");
        assertThat(asked.body()).isEqualTo("{\"max\":5,\"wait\":2,\"visibility\":9,\"match\":{\"n\":1.5}}");
        assertThat(delivery.body().text()).isEqualTo("{\"n\":1.50}");
        assertThat(delivery.leasedUntil()).isEqualTo(Instant.parse(LATER));

        server.then("{\"leasedUntil\":\"2026-01-01T00:10:00Z\"}");
        delivery.extend(Duration.ofMinutes(10));
        ScriptedServer.Asked extended = server.only();
        assertThat(extended.line()).isEqualTo("PATCH /v1/queues/orders/messages/" + receipt(FIRST));
        assertThat(extended.body()).isEqualTo("{\"extend\":600}");
        assertThat(delivery.leasedUntil()).isEqualTo(Instant.parse("2026-01-01T00:10:00Z"));

        server.then("{\"fate\":\"dead_lettered\"}");
        assertThat(delivery.retry(Duration.ofSeconds(1), "busy")).isEqualTo(Fate.DEAD_LETTERED);
        assertThat(server.only().body()).isEqualTo("{\"retry\":1,\"error\":\"busy\"}");

        server.then("{\"acked\":1,\"late\":[]}");
        queue.ack(receipt(FIRST));
        ScriptedServer.Asked acked = server.only();
        assertThat(acked.line()).isEqualTo("POST /v1/queues/orders/acks");
        assertThat(acked.body()).isEqualTo("{\"receipts\":[\"" + receipt(FIRST) + "\"]}");
    }

    @Test
    void receiptsAloneAreEnough() {
        Receipt receipt = receipt(FIRST);
        server.then("{\"fate\":\"dropped\"}");
        assertThat(client.reject(receipt, "bad")).isEqualTo(Fate.DROPPED);
        ScriptedServer.Asked rejected = server.only();
        assertThat(rejected.line()).isEqualTo("PATCH /v1/messages/" + receipt);
        assertThat(rejected.body()).isEqualTo("{\"reject\":\"bad\"}");

        server.then("{\"fate\":\"released\"}");
        client.release(receipt);
        assertThat(server.only().body()).isEqualTo("{\"release\":true}");

        server.then("{\"acked\":1,\"late\":[\"" + receipt(SECOND) + "\"]}");
        assertThat(client.ackAll(List.of(receipt, receipt(SECOND)))).containsExactly(receipt(SECOND));
        assertThat(server.only().line()).isEqualTo("POST /v1/acks");
    }

    @Test
    void aMessageThatIsHeldNoLongerIsSaidSo() {
        MessageQueue queue = queue();
        server.then("{\"acked\":0,\"late\":[\"" + receipt(FIRST) + "\"]}");

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> queue.ack(receipt(FIRST)))
                .returns(ErrorCode.LEASE_LOST, PerdureException::code);
    }

    @Test
    void whatWasSettledIsNotSettledTwice() {
        MessageQueue queue = queue();
        List<Delivery> deliveries = deliveries(queue, FIRST, SECOND);
        server.then("{\"acked\":1,\"late\":[]}");
        deliveries.getFirst().ack();
        server.only();

        server.then(ScriptedServer.problem(409, new RefusedException(ErrorCode.LEASE_LOST, "Lost.")));
        assertThat(queue.retryAll(deliveries, Duration.ZERO, "stopping")).containsExactly(receipt(SECOND));
        assertThat(server.only().target()).endsWith(receipt(SECOND).toString());

        server.then("{\"acked\":1,\"late\":[]}");
        assertThat(queue.ackAll(deliveries)).containsExactly(receipt(FIRST));
        assertThat(server.only().body()).isEqualTo("{\"receipts\":[\"" + receipt(SECOND) + "\"]}");
        assertThat(deliveries).allMatch(Delivery::isSettled);
    }

    @Test
    void manyReceiptsGoInSeveralRequests() {
        List<Receipt> many =
                IntStream.range(0, 1_001).mapToObj(_ -> receipt(FIRST)).toList();
        server.then("{\"acked\":1000,\"late\":[]}").then("{\"acked\":1,\"late\":[]}");

        assertThat(client.ackAll(many)).isEmpty();
        assertThat(server.asked()).hasSize(2);
    }

    @Test
    void whoIsInterruptedLeavesAndWhatStillComesIsGivenBack() {
        MessageQueue queue = queue();
        CountDownLatch gone = new CountDownLatch(1);
        server.then(ScriptedServer.held(gone, ScriptedServer.answer(200, received(FIRST))))
                .then("{\"fate\":\"released\"}");
        Later<List<Delivery>> heard = new Later<>();
        Thread receiver = new SystemEnvironment()
                .start(
                        "receiver",
                        () -> heard.complete(() -> {
                            List<Delivery> answer =
                                    queue.receive(Receiving.upTo(1).waiting(Duration.ofSeconds(20)));
                            assertThat(Thread.currentThread().isInterrupted()).isTrue();
                            return answer;
                        }));
        Eventually.holds(() -> server.asked().size() == 1);

        receiver.interrupt();
        assertThat(heard.await()).isEmpty();
        gone.countDown();

        Eventually.holds(() -> server.asked().size() == 2);
        assertThat(server.asked().getLast().body()).isEqualTo("{\"release\":true}");
    }

    @Test
    void whoIsInterruptedBeforeHasWhatIsThere() {
        MessageQueue queue = queue();
        server.then(received(FIRST));
        Thread.currentThread().interrupt();

        List<Delivery> deliveries = queue.receive(Receiving.upTo(1).waiting(Duration.ofSeconds(20)));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(deliveries).hasSize(1);
        assertThat(server.only().body()).isEqualTo("{\"max\":1}");
    }

    @Test
    void messagesAreLookedAtPageByPage() {
        MessageQueue queue = queue();
        String one = message(FIRST, ",\"state\":\"delayed\",\"readyAt\":\"" + LATER + "\"");
        server.then("{\"messages\":[" + one + "],\"next\":\"ready_a_b\"}").then("{\"messages\":[" + one + "]}");

        MessagePage page = queue.messages(2_000);

        assertThat(page.messages()).hasSize(2);
        assertThat(page.next()).isNull();
        assertThat(server.asked())
                .extracting(ScriptedServer.Asked::line)
                .containsExactly(
                        "GET /v1/queues/orders/messages?limit=1000",
                        "GET /v1/queues/orders/messages?limit=1000&cursor=ready_a_b");
    }

    @Test
    void deadLettersAreRedrivenAndDiscarded() {
        MessageQueue queue = queue();
        server.then("{\"count\":1,\"missing\":[\"" + SECOND + "\"]}");
        assertThat(queue.deadLetters().redrive(List.of(FIRST, SECOND)).missing())
                .containsExactly(SECOND);
        ScriptedServer.Asked redriven = server.only();
        assertThat(redriven.line()).isEqualTo("POST /v1/queues/orders/dlq/redrive");
        assertThat(redriven.body()).isEqualTo("{\"messages\":[\"" + FIRST + "\",\"" + SECOND + "\"]}");

        server.then("{\"count\":0,\"missing\":[\"" + FIRST + "\"]}");
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> queue.deadLetters().discard(FIRST))
                .returns(ErrorCode.NO_SUCH_MESSAGE, PerdureException::code)
                .withMessageContaining("orders.dlq");
        assertThat(server.only().line()).isEqualTo("POST /v1/queues/orders/dlq/discard");

        List<Long> told = new ArrayList<>();
        server.then(ScriptedServer.lines("{\"count\":100}", "{\"count\":150}", "{\"count\":150,\"missing\":[]}"));
        assertThat(queue.deadLetters().redriveAll(Json.of("{\"a\":1}"), told::add))
                .isEqualTo(150);
        assertThat(told).containsExactly(100L, 150L);
        ScriptedServer.Asked all = server.only();
        assertThat(all.body()).isEqualTo("{\"all\":true,\"match\":{\"a\":1}}");
        assertThat(all.accept()).isEqualTo("application/x-ndjson");

        server.then("{\"count\":4}").then("{\"purged\":5}").then(status("orders.dlq"));
        assertThat(queue.deadLetters().count(Json.of("{}"))).isEqualTo(4);
        assertThat(server.only().line()).isEqualTo("POST /v1/queues/orders/dlq/count");
        assertThat(queue.deadLetters().discardAll()).isEqualTo(5);
        assertThat(server.only().line()).isEqualTo("POST /v1/queues/orders.dlq/purge");
        assertThat(queue.deadLetters().queue().deadLetters().count()).isEqualTo(6);
        assertThat(server.only().line()).isEqualTo("GET /v1/queues/orders.dlq");
    }

    @Test
    void whatIsOutOfBoundsIsNotSent() {
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> client.extend(receipt(FIRST), Duration.ZERO))
                .returns(ErrorCode.OUT_OF_BOUNDS, PerdureException::code);
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> client.retry(receipt(FIRST), Duration.ofDays(30), ""))
                .returns(ErrorCode.OUT_OF_BOUNDS, PerdureException::code);
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> client.queue("../runs"))
                .returns(ErrorCode.INVALID_NAME, PerdureException::code);
        assertThat(server.asked()).isEmpty();
    }
}
