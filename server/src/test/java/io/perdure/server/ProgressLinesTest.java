package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Opened;
import io.perdure.core.Perdure;
import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.Receiving;
import io.perdure.sdk.run.StartOptions;
import io.perdure.server.Asking.Answer;
import io.perdure.server.Asking.Request;
import io.perdure.testkit.ForwardingStore;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operations that take long report their progress in lines; each line, an error included, fits the schema in the document. */
class ProgressLinesTest {
    private static final int TWO_PAGES = 600;
    private static final int MANY = 1_000_000;

    @TempDir
    private Path directory;

    private BreakingStore store;
    private PerdureServer server;
    private Asking asking;

    /** A store that cannot look at messages any more once it has done so a given number of times. */
    private static final class BreakingStore extends ForwardingStore {
        private final AtomicInteger looks = new AtomicInteger(MANY);

        BreakingStore(Store store) {
            super(store);
        }

        @Override
        public List<MessageRow> messages(MessageQuery query) {
            if (looks.getAndDecrement() <= 0) {
                throw new StoreException(ErrorCode.STORE_FAILED, "It broke as it should.");
            }
            return super.messages(query);
        }
    }

    @BeforeEach
    void serve() {
        store = new BreakingStore(Stores.open(
                "jdbc:sqlite:" + directory.resolve("store.db"), new SystemEnvironment(), Limits.defaults()));
        server = PerdureServer.over(ServerOptions.of("jdbc:sqlite:bent").port(0), Opened.over(store));
        asking = new Asking(server.url());
    }

    @AfterEach
    void close() {
        asking.close();
        server.close();
    }

    /** Lines that were checked against the document as they came. */
    private List<String> lines(String path, String body) {
        Answer answer = asking.ask(new Request("POST", path, body).with("Accept", "application/x-ndjson"));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.mediaType()).isEqualTo("application/x-ndjson");
        assertThat(answer.body()).endsWith("\n");
        return answer.body().lines().toList();
    }

    private void startRuns() {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Perdure engine = server.engine();
            for (int i = 0; i < TWO_PAGES; i++) {
                threads.execute(() -> engine.start("order", Json.of("1"), StartOptions.defaults()));
            }
        }
    }

    private void makeDeadLetters() {
        MessageQueue queue =
                server.engine().createQueue("mails", QueueSettings.defaults().retries(0));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            IntStream.range(0, TWO_PAGES).forEach(i -> threads.execute(() -> queue.send(Json.number(i))));
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Delivery> received = queue.receive(Receiving.upTo(100));
            while (!received.isEmpty()) {
                received.forEach(delivery -> threads.execute(() -> delivery.reject("as it should")));
                received = queue.receive(Receiving.upTo(100));
            }
        }
    }

    @Test
    void cancelOfManyRuns_eachLine_fitsTheSchema() {
        startRuns();

        List<String> lines = lines("/v1/runs/bulk", "{\"action\":\"cancel\"}");

        assertThat(lines).hasSizeGreaterThan(2);
        assertThat(lines.getLast()).isEqualTo("{\"matched\":600,\"done\":600,\"missed\":0}");
    }

    @Test
    void redriveOfManyDeadLetters_eachLine_fitsTheSchema() {
        makeDeadLetters();

        List<String> lines = lines("/v1/queues/mails/dlq/redrive", "{\"all\":true}");

        assertThat(lines).hasSizeGreaterThan(2);
        assertThat(lines.getFirst()).isEqualTo("{\"count\":500}");
        assertThat(lines.getLast()).isEqualTo("{\"count\":600,\"missing\":[]}");
    }

    @Test
    void redriveThatBreaksOff_lastLine_isAnErrorThatFitsTheSchema() {
        makeDeadLetters();
        store.looks.set(1);

        List<String> lines = lines("/v1/queues/mails/dlq/redrive", "{\"all\":true}");

        assertThat(lines.getFirst()).isEqualTo("{\"count\":500}");
        assertThat(lines.getLast()).startsWith("{\"error\":{").contains("PD-213");
    }
}
