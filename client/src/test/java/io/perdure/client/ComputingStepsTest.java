package io.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.client.ScriptedServer.Asked;
import io.perdure.sdk.consumer.Arrivals;
import io.perdure.sdk.consumer.QueueBackend;
import io.perdure.sdk.consumer.Verdict;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.Receiving;
import io.perdure.sdk.run.StartOptions;
import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a client still does for threads of the operating system while steps that compute hold every carrier of virtual threads. */
class ComputingStepsTest {
    private static final int CARRIERS = Integer.getInteger(
            "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Receiving LONG_POLL = Receiving.defaults().waiting(Duration.ofSeconds(20));

    private final ScriptedServer server = new ScriptedServer();
    private final PerdureClient client = server.client();
    private final Calls calls =
            new Calls(new Transport(URI.create(server.url()), null, null, new SystemEnvironment()), PATIENCE);
    private final AtomicInteger holding = new AtomicInteger();
    private volatile boolean released;

    @BeforeEach
    void holdCarriers() {
        for (int i = 0; i < CARRIERS; i++) {
            Thread.startVirtualThread(() -> {
                holding.incrementAndGet();
                while (!released) {
                    Thread.onSpinWait();
                }
            });
        }
        Eventually.holds(() -> holding.get() == CARRIERS);
    }

    @AfterEach
    void close() {
        released = true;
        client.close();
        calls.close();
        server.close();
    }

    /** Makes a call from a thread of the operating system, and gives it up where it takes too long. */
    private static <T> T called(Callable<T> call) throws Exception {
        FutureTask<T> task = new FutureTask<>(call);
        Thread.ofPlatform().daemon().start(task);
        return task.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private QueueBackend consumer() {
        server.then(QueueVerbsTest.status("orders"));
        QueueBackend backend = new RemoteQueues(calls).backend(new QueueName("orders"));
        server.forget();
        return backend;
    }

    @Test
    void start_whileComputingStepsHoldEveryCarrier_returns() throws Exception {
        String id = "01997a3e-0000-7000-8000-000000000001";
        server.then(ScriptedServer.answer(201, "{\"runId\":\"" + id + "\",\"created\":true,\"status\":\"running\"}"));

        assertThat(called(() -> client.start("order", Json.NULL, StartOptions.defaults()))
                        .id())
                .hasToString(id);
    }

    @Test
    void send_whileComputingStepsHoldEveryCarrier_returns() throws Exception {
        server.then(QueueVerbsTest.status("orders")).then(ScriptedServer.answer(201, QueueVerbsTest.sent(true)));

        assertThat(called(() -> client.queue("orders").send(Json.NULL)).id()).isEqualTo(QueueVerbsTest.FIRST);
    }

    @Test
    void receive_whileComputingStepsHoldEveryCarrier_returns() throws Exception {
        server.then(QueueVerbsTest.status("orders")).then("{\"messages\":[]}");

        assertThat(called(() -> client.queue("orders").receive(LONG_POLL))).isEmpty();
    }

    @Test
    void consumer_whileComputingHandlersHoldEveryCarrier_receivesAndAcknowledges() throws Exception {
        QueueBackend consumer = consumer();
        server.then("{\"messages\":[]}").then("{\"acked\":1,\"late\":[]}");
        Receiving atOnce = LONG_POLL.waiting(Duration.ZERO);

        assertThat(called(() -> consumer.receive(atOnce))).isEqualTo(Arrivals.NONE);
        Receipt receipt = new Receipt(QueueVerbsTest.FIRST, UUID.randomUUID());
        assertThat(called(() -> consumer.settle(receipt, new Verdict.Done()))).isEqualTo(Fate.DONE);
    }

    @Test
    void dismiss_whileComputingHandlersHoldEveryCarrier_endsTheReceiveAtTheServer() throws Exception {
        QueueBackend consumer = consumer();
        CountDownLatch ended = new CountDownLatch(1);
        server.then(ScriptedServer.held(ended, ScriptedServer.answer(200, "{\"messages\":[]}")), exchange -> {
            ended.countDown();
            ScriptedServer.answer(204, "").answer(exchange);
        });
        FutureTask<Arrivals> receive = new FutureTask<>(() -> consumer.receive(LONG_POLL));
        Thread.ofPlatform().daemon().start(receive);
        Eventually.holds(() -> server.asked().size() == 1);

        consumer.dismiss();
        assertThat(receive.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(Arrivals.NONE);
        assertThat(server.asked()).extracting(Asked::target).last().asString().endsWith("/receive/end");
    }
}
