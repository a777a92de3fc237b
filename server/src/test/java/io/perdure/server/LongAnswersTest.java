package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.server.Asking.Answer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** However long what is asked for has grown, one answer has about 16 MiB of it, and says where to go on. */
class LongAnswersTest {
    private static final int LONG = 20;
    private static final int MOST_BYTES = 16 * 1024 * 1024 + 1024;
    private static final Json LONG_VALUE = Json.string("x".repeat(1_000_000));

    @TempDir
    private Path directory;

    private PerdureServer server;
    private Asking asking;

    @BeforeEach
    void serve() {
        server = PerdureServer.start(
                ServerOptions.of("jdbc:sqlite:" + directory.resolve("store.db")).port(0));
        server.engine()
                .register(Workflow.named("long").run(Json.class, Json.class, (context, input) -> {
                    for (int i = 0; i < LONG; i++) {
                        context.step("step" + i, Json.class, () -> LONG_VALUE);
                    }
                    return input;
                }))
                .start();
        asking = new Asking(server.url());
    }

    @AfterEach
    void close() {
        asking.close();
        server.close();
    }

    /** What all pages have, of which the first is to be as long as a page may be. */
    private List<JsonNode> pages(String path, String parameter, String list) {
        return pages(path, parameter, list, 16);
    }

    private List<JsonNode> pages(String path, String parameter, String list, int first) {
        List<JsonNode> all = new ArrayList<>();
        JsonNode page = page(path);
        assertThat(page.has("next")).isTrue();
        assertThat(page.path(list).size()).isEqualTo(first);
        while (!page.path(list).isEmpty()) {
            page.path(list).forEach(all::add);
            if (!page.has("next")) {
                break;
            }
            page = page(path + (path.contains("?") ? "&" : "?") + parameter + "="
                    + page.path("next").asString());
        }
        return all;
    }

    private JsonNode page(String path) {
        Answer answer = asking.ask("GET", path);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().getBytes(StandardCharsets.UTF_8).length).isLessThan(MOST_BYTES);
        return answer.json();
    }

    private static List<String> texts(List<JsonNode> elements, String field) {
        return elements.stream().map(one -> one.path(field).asString()).toList();
    }

    private static List<String> each(Function<Integer, String> text) {
        return IntStream.range(0, LONG).boxed().map(text).toList();
    }

    @Test
    void listsOfMessagesWhetherTheirBodiesOrTheirHeadersAreLong() {
        MessageQueue queue = server.engine().createQueue("long");
        String most = "x".repeat(120_000);
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 110; i++) {
            Outgoing message = i % 2 == 0
                    ? Outgoing.of(Json.string(most))
                    : Outgoing.of(Json.number(i)).header("long", most);
            sent.add(queue.sendAll(List.of(message)).getFirst().id().toString());
        }
        List<JsonNode> messages = pages("/v1/queues/long/messages?limit=1000", "cursor", "messages", 100);
        assertThat(texts(messages, "id")).containsExactlyElementsOf(sent);
    }

    @Test
    void listsOfRuns() {
        List<String> started = new ArrayList<>();
        for (int i = 0; i < LONG; i++) {
            started.addFirst(start("order", LONG_VALUE).id().toString());
        }
        assertThat(texts(pages("/v1/runs?limit=1000", "cursor", "runs"), "runId"))
                .isEqualTo(started);

        started.forEach(run -> server.engine().cancel(RunId.parse(run), "to be listed by its end"));
        assertThat(texts(pages("/v1/runs?limit=1000&status=cancelled", "cursor", "runs"), "runId"))
                .containsExactlyInAnyOrderElementsOf(started);
    }

    private Run<Json> start(String workflow, Json input) {
        return server.engine().start(workflow, input, StartOptions.defaults());
    }

    @Test
    void stepsAndHistories() {
        Run<Json> run = start("long", Json.NULL);
        run.result(Duration.ofSeconds(60));
        String path = "/v1/runs/" + run.id();
        assertThat(texts(pages(path + "/steps", "from", "steps"), "name")).isEqualTo(each(i -> "step" + i));

        JsonNode first = page(path + "/history");
        assertThat(first.path("more").asBoolean()).isTrue();
        List<Long> seqs = new ArrayList<>();
        JsonNode page = first;
        while (!page.path("events").isEmpty()) {
            page.path("events").forEach(event -> seqs.add(event.path("seq").asLong()));
            page = page(path + "/history?from=" + page.path("next").asLong());
        }
        assertThat(page.has("more")).isFalse();
        assertThat(seqs)
                .isEqualTo(IntStream.range(0, run.history().size())
                        .mapToObj(Long::valueOf)
                        .toList());
    }

    @Test
    void mailboxes() {
        Run<Json> run = start("order", Json.NULL);
        for (int i = 0; i < LONG; i++) {
            server.engine().signal(run.id(), "paid" + i, LONG_VALUE);
        }
        String path = "/v1/runs/" + run.id() + "/mailbox";
        assertThat(texts(pages(path, "from", "letters"), "event")).isEqualTo(each(i -> "paid" + i));

        JsonNode two = page(path + "?limit=2");
        assertThat(two.path("letters").size()).isEqualTo(2);
        assertThat(two.path("wakes").asInt()).isEqualTo(LONG);
    }

    @Test
    void whatFitsIsAnsweredWhole() {
        RunId run = start("order", LONG_VALUE).id();
        assertThat(page("/v1/runs").path("runs").size()).isEqualTo(1);
        assertThat(page("/v1/runs").has("next")).isFalse();
        assertThat(page("/v1/runs/" + run + "/steps").toString()).isEqualTo("{\"steps\":[]}");
    }
}
