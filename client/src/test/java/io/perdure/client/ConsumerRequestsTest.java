package io.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.client.ScriptedServer.Asked;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.consumer.Arrivals;
import io.perdure.sdk.consumer.QueueBackend;
import io.perdure.sdk.consumer.Verdict;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.queue.ExtendedLeases;
import io.perdure.sdk.queue.Receiving;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a consumer sends, and how many requests that takes. */
class ConsumerRequestsTest {
    private static final String QUEUE = "/v1/queues/orders";
    private static final Receiving LONG_POLL = Receiving.defaults().waiting(Duration.ofSeconds(20));

    private final ScriptedServer server = new ScriptedServer();
    private final Calls calls = new Calls(
            new Transport(URI.create(server.url()), null, null, new SystemEnvironment()), Duration.ofSeconds(10));
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private QueueBackend backend;

    @BeforeEach
    void open() {
        server.then(QueueVerbsTest.status("orders"));
        backend = new RemoteQueues(calls).backend(new QueueName("orders"));
        assertThat(server.only().line()).isEqualTo("GET " + QUEUE);
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        calls.close();
        server.close();
    }

    private static List<Receipt> receipts(int count) {
        return IntStream.range(0, count)
                .mapToObj(_ -> new Receipt(QueueVerbsTest.FIRST, UUID.randomUUID()))
                .toList();
    }

    private Thread settle(Receipt receipt, Map<Receipt, ErrorCode> refused) {
        return Thread.startVirtualThread(() -> {
            try {
                backend.settle(receipt, new Verdict.Done());
            } catch (RefusedException e) {
                refused.put(receipt, e.code());
            }
        });
    }

    @Test
    void acknowledgementsThatComeWhileOneIsUnderWayShareTheNextRequest() throws InterruptedException {
        List<Receipt> receipts = receipts(51);
        Map<Receipt, ErrorCode> refused = new ConcurrentHashMap<>();
        CountDownLatch answer = new CountDownLatch(1);
        server.then(ScriptedServer.held(answer, ScriptedServer.answer(200, "{\"acked\":1,\"late\":[]}")));
        server.then("{\"acked\":49,\"late\":[\"" + receipts.get(7) + "\"]}");
        Thread first = settle(receipts.getFirst(), refused);
        Eventually.holds(() -> server.asked().size() == 1);

        List<Thread> others = receipts.stream()
                .skip(1)
                .map(receipt -> settle(receipt, refused))
                .toList();
        Eventually.holds(() -> others.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING));
        answer.countDown();

        first.join();
        for (Thread other : others) {
            other.join();
        }
        assertThat(refused).containsExactly(Map.entry(receipts.get(7), ErrorCode.LEASE_LOST));
        assertThat(server.asked()).extracting(Asked::line).hasSize(2).containsOnly("POST " + QUEUE + "/acks");
        assertThat(server.asked().getLast().body().split("\",\"", -1)).hasSize(50);
    }

    @Test
    void leasesAreExtendedTogether() {
        List<Receipt> receipts = receipts(1_001);
        server.then("{\"extended\":999,\"leasedUntil\":\"2026-01-01T00:01:00Z\",\"late\":[\"" + receipts.getFirst()
                + "\"]}");
        server.then("{\"extended\":0,\"late\":[\"" + receipts.getLast() + "\"]}");

        ExtendedLeases extended = backend.extend(receipts, Duration.ofSeconds(150));

        assertThat(extended.until()).isEqualTo(Instant.parse("2026-01-01T00:01:00Z"));
        assertThat(extended.late()).containsExactly(receipts.getFirst(), receipts.getLast());
        assertThat(server.asked()).extracting(Asked::line).containsOnly("POST " + QUEUE + "/extensions");
        assertThat(server.asked().getLast().body())
                .isEqualTo("{\"receipts\":[\"" + receipts.getLast() + "\"],\"visibility\":150}");
    }

    @Test
    void anExtensionOnADeadConnectionIsGivenUpWhileThereIsTimeForAnother() {
        CountDownLatch never = new CountDownLatch(1);
        server.then(ScriptedServer.held(never, ScriptedServer.dropped()));

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> backend.extend(receipts(1), Duration.ofSeconds(3)))
                .withMessageContaining("within PT0.75S");
        never.countDown();
    }

    @Test
    void allReceivesOfAConsumerBearItsId() {
        server.then("{\"messages\":[]}").then("{\"messages\":[]}").then(QueueVerbsTest.status("orders"));
        server.then("{\"messages\":[]}");
        backend.receive(LONG_POLL);
        backend.receive(LONG_POLL);
        new RemoteQueues(calls).backend(new QueueName("orders")).receive(LONG_POLL);

        List<String> ids = server.asked().stream()
                .filter(asked -> asked.line().endsWith("/receive"))
                .map(asked -> String.valueOf(asked.consumer()))
                .toList();
        assertThat(ids).hasSize(3);
        assertThat(UUID.fromString(ids.getFirst())).hasToString(ids.get(1));
        assertThat(ids.getLast()).isNotEqualTo(ids.getFirst());
    }

    @Test
    void aReceiveThatIsDismissedIsEndedAtTheServer() {
        CountDownLatch ended = new CountDownLatch(1);
        server.then(ScriptedServer.held(ended, ScriptedServer.answer(200, "{\"messages\":[]}")));
        server.then(exchange -> {
            ended.countDown();
            ScriptedServer.answer(200, "{\"ended\":true}").answer(exchange);
        });
        CompletableFuture<Arrivals> poll = CompletableFuture.supplyAsync(() -> backend.receive(LONG_POLL), threads);
        Eventually.holds(() -> server.asked().size() == 1);

        backend.dismiss();

        assertThat(poll.join()).isEqualTo(Arrivals.NONE);
        assertThat(server.asked().get(1).line()).isEqualTo("POST " + QUEUE + "/receive/end");
        assertThat(server.asked().get(1).body())
                .isEqualTo("{\"request\":\"" + server.asked().getFirst().request() + "\"}");
        assertThat(backend.receive(LONG_POLL)).as("without asking").isEqualTo(Arrivals.NONE);
        assertThat(server.asked()).hasSize(2);
    }

    @Test
    void whatComesAfterAllForOneThatCouldNotBeEndedIsGivenBack() {
        MessageId message = QueueVerbsTest.SECOND;
        CountDownLatch comes = new CountDownLatch(1);
        server.then(ScriptedServer.held(comes, ScriptedServer.answer(200, QueueVerbsTest.received(message))));
        server.then(ScriptedServer.answer(404, "no such operation"));
        CompletableFuture<Arrivals> poll = CompletableFuture.supplyAsync(() -> backend.receive(LONG_POLL), threads);
        Eventually.holds(() -> server.asked().size() == 1);
        backend.dismiss();
        assertThat(poll.join()).isEqualTo(Arrivals.NONE);

        server.then("{\"fate\":\"released\"}");
        comes.countDown();

        Eventually.holds(() -> server.asked().size() == 3);
        assertThat(server.asked().getLast().line()).startsWith("PATCH " + QUEUE + "/messages/" + message);
        assertThat(server.asked().getLast().body()).isEqualTo("{\"release\":true}");
    }

    @Test
    void aLeaseCountsFromWhenTheServerHadWaitedUnlessThatCannotBe() {
        String received = QueueVerbsTest.received(QueueVerbsTest.FIRST);
        server.then(received.replace("]}", "],\"waited\":0.000001}"));
        server.then(received.replace("]}", "],\"waited\":3600}"));
        server.then(received);

        assertThat(backend.receive(LONG_POLL).waited()).isEqualTo(Duration.ofNanos(1_000));
        assertThat(backend.receive(LONG_POLL).waited()).isZero();
        assertThat(backend.receive(LONG_POLL).waited()).isZero();
    }

    @Test
    void aServerThatIsAboutToStopDoesNotEndAConsumer() {
        server.then(ScriptedServer.problem(503, new StoreException(ErrorCode.STORE_CLOSED, "This engine was closed.")));

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> backend.receive(LONG_POLL))
                .returns(ErrorCode.SERVER_UNREACHABLE, StoreException::code);
    }

    @Test
    void aServerThatAnswersAtOnceThoughItHasNothingIsNotAskedInACircle() {
        server.then("{\"messages\":[]}").then("{\"messages\":[]}");
        long begun = System.nanoTime();

        backend.receive(LONG_POLL);
        backend.receive(LONG_POLL);

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofMillis(190));
    }
}
