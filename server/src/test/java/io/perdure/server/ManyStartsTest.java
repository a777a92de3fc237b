package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.client.ConnectOptions;
import io.perdure.client.PerdureClient;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.run.StartOptions;
import io.perdure.server.Asking.Answer;
import io.perdure.server.Asking.Request;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Starts that come together stand or fall each by itself. */
class ManyStartsTest {
    private static final String STARTS = "/v1/workflows/order/starts";

    @TempDir
    private Path directory;

    private Served served;

    @BeforeEach
    void serve() {
        served = new Served(
                ServerOptions.of("jdbc:sqlite:" + directory.resolve("store.db")).port(0));
    }

    @AfterEach
    void close() {
        served.close();
    }

    private Answer ask(String body, String request) {
        return served.asking.ask(
                new Request("POST", STARTS, body).key(served.admin).with("Perdure-Request", request));
    }

    private static String code(JsonNode answer) {
        return answer.path("problem").path("code").asString("none");
    }

    @Test
    void eachIsAnsweredInItsPlace() {
        Answer answer = ask("""
                {"starts":[{"input":1,"idempotencyKey":"once"},{"input":1,"version":0},{"zzz":1},7,
                 {"input":2,"runId":"0199d0a0-8000-7000-8000-0000000000aa"}]}""", UUID.randomUUID().toString());

        assertThat(answer.status()).isEqualTo(200);
        JsonNode runs = answer.json().path("runs");
        assertThat(runs.size()).isEqualTo(5);
        assertThat(runs.get(0).path("created").asBoolean()).isTrue();
        assertThat(code(runs.get(1))).isEqualTo("PD-007");
        assertThat(runs.get(1).path("problem").path("field").asString()).isEqualTo("version");
        assertThat(runs.get(2).path("problem").path("field").asString()).isEqualTo("zzz");
        assertThat(code(runs.get(3))).isEqualTo("PD-004");
        assertThat(runs.get(4).path("runId").asString()).isEqualTo("0199d0a0-8000-7000-8000-0000000000aa");
        assertThat(served.engine().count(RunFilter.all().workflow("order"))).isEqualTo(2);
    }

    @Test
    void sentAgainTheyAreTheSameStarts() {
        String request = UUID.randomUUID().toString();
        String body = "{\"starts\":[{\"input\":1},{\"input\":1},{\"input\":2}]}";
        String first = ask(body, request).body();

        assertThat(ask(body, request).body()).isEqualTo(first);
        assertThat(served.engine().count(RunFilter.all().workflow("order"))).isEqualTo(3);
    }

    @Test
    void moreThanAThousandAreRefusedTogetherAndNoneIsStarted() {
        String body = "{\"starts\":[" + "{},".repeat(1_000) + "{}]}";

        Answer answer = ask(body, UUID.randomUUID().toString());

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.json().path("field").asString()).isEqualTo("starts");
        assertThat(served.engine().count(RunFilter.all().workflow("order"))).isZero();
    }

    @Test
    void callersOfOneClientHearOfTheirOwnStartAlone() throws Exception {
        StartOptions taken = StartOptions.defaults().idempotencyKey("taken");
        served.engine().start("order", Json.of("\"first\""), taken);
        try (PerdureClient client = PerdureClient.connect(
                        served.server.url().toString(),
                        ConnectOptions.defaults().key(served.client));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> starts = IntStream.range(0, 500)
                    .mapToObj(i ->
                            threads.submit(() -> start(client, i, i % 10 == 0 ? taken : StartOptions.defaults())))
                    .toList();
            for (int i = 0; i < starts.size(); i++) {
                assertThat(starts.get(i).get()).isEqualTo(i % 10 == 0 ? "PD-303" : "started " + i);
            }
        }
        assertThat(served.engine().count(RunFilter.all().workflow("order"))).isEqualTo(451);
    }

    private static String start(PerdureClient client, int input, StartOptions options) {
        try {
            var run = client.start("order", Json.number(input), options);
            return run.created() ? "started " + run.info().input() : "found";
        } catch (PerdureException e) {
            return e.code().code();
        }
    }
}
