package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.StartOptions;
import io.perdure.server.Asking.Answer;
import io.perdure.server.Asking.Request;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What HTTP itself asks of a server, whatever the operation. */
class PlainHttpTest {
    private static final int MAX_BODY_BYTES = 1024;

    @TempDir
    private Path directory;

    private PerdureServer server;
    private Asking asking;

    @BeforeEach
    void serve() {
        server = PerdureServer.start(ServerOptions.of("jdbc:sqlite:" + directory.resolve("store.db"))
                .port(0)
                .maxBodyBytes(MAX_BODY_BYTES));
        asking = new Asking(server.url());
    }

    @AfterEach
    void close() {
        asking.close();
        server.close();
    }

    @Test
    void headIsGetWithoutTheBody() {
        Answer get = asking.ask("GET", "/v1/queues");
        Answer head = asking.ask("HEAD", "/v1/queues");
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(head.headers().firstValue("Content-Length"))
                .isEqualTo(get.headers().firstValue("Content-Length"));
        assertThat(asking.ask("HEAD", "/v1/queues/nowhere").status()).isEqualTo(404);
    }

    @Test
    void optionsNamesTheMethods() {
        Answer answer = asking.ask("OPTIONS", "/v1/queues/any");
        assertThat(answer.status()).isEqualTo(204);
        assertThat(answer.headers().firstValue("Allow")).hasValue("DELETE, GET, HEAD, OPTIONS, PATCH");
    }

    @Test
    void whatIsNowhereIs404() {
        assertThat(asking.ask("GET", "/v1/nothing").code()).isEqualTo("PD-608");
        assertThat(asking.ask("GET", "/v1/runs/").code()).isEqualTo("PD-608");
        assertThat(asking.ask("GET", "/v1/workflows/order/runs/count/more").code())
                .isEqualTo("PD-608");
    }

    @Test
    void thePageLoadsNothingFromElsewhere() {
        Answer page = asking.ask("GET", "/");
        assertThat(page.mediaType()).isEqualTo("text/html");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                .startsWith("default-src 'none'");
        assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(page.headers().firstValue("X-Frame-Options")).hasValue("DENY");
    }

    @Test
    void aMistypedParameterIsToldTheRightOne() {
        assertThat(asking.ask("GET", "/v1/runs?limt=3").body()).contains("did you mean \\\"limit\\\"");
    }

    @Test
    void aBodyWithoutALengthIsBoundedAsWell() throws Exception {
        String chunk = "400\r\n" + " ".repeat(MAX_BODY_BYTES) + "\r\n";
        String request = "POST /v1/queues HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n" + chunk + chunk;
        assertThat(new RawRequest(request.getBytes(StandardCharsets.US_ASCII), true).send(server.port()))
                .isEqualTo(413);
    }

    @Test
    void valuesTravelToTheLetter() {
        String input = "{ \"b\": 1.500, \"a\": \"\\u00e9\\u0000\", \"c\": 123456789012345678901234567890 }";
        Answer started = asking.ask("POST", "/v1/workflows/order/runs", "{\"input\": " + input + " }");
        String id = started.json().path("runId").asString();
        assertThat(asking.ask("GET", "/v1/runs/" + id).body()).contains("\"input\":" + input);
        assertThat(started.headers().firstValue("Location")).hasValue("/v1/workflows/order/runs/" + id);
    }

    @Test
    void runsAreFoundByTagsAndInput() {
        StartOptions ulm = StartOptions.defaults().tag("city", "ulm");
        String found = server.engine()
                .start("order", Json.of("{\"user\":{\"id\":7},\"name\":\"ada\"}"), ulm)
                .id()
                .toString();
        server.engine().start("order", Json.of("{\"user\":{\"id\":8}}"), StartOptions.defaults());
        for (String filter : new String[] {
            "tag=city:ulm",
            "tag.city=ulm",
            "input.user.id=7",
            "input.name=ada",
            "input=%7B%22user%22:%7B%22id%22:7%7D%7D"
        }) {
            Answer answer = asking.ask("GET", "/v1/workflows/order/runs?status=running&" + filter);
            assertThat(answer.json().path("runs").findValuesAsString("runId"))
                    .as(filter)
                    .containsExactly(found);
            assertThat(asking.ask("GET", "/v1/runs/count?" + filter).body()).isEqualTo("{\"count\":1}");
        }
    }

    @Test
    void pagesGoOnWhereTheOneBeforeEnded() {
        for (int i = 0; i < 3; i++) {
            server.engine().start("order", Json.number(i), StartOptions.defaults());
        }
        Answer first = asking.ask("GET", "/v1/runs?limit=2");
        Answer second = asking.ask(
                "GET", "/v1/runs?limit=2&cursor=" + first.json().path("next").asString());
        assertThat(first.json().path("runs").findValuesAsString("input")).containsExactly("2", "1");
        assertThat(second.json().path("runs").findValuesAsString("input")).containsExactly("0");
        assertThat(second.json().has("next")).isFalse();
    }

    @Test
    void linesAreAnsweredToWhoeverTakesThem() {
        for (String accept : new String[] {
            "application/x-ndjson",
            "Application/X-NDJSON; charset=utf-8",
            "application/json;q=0.5, application/x-ndjson ; q=0.9",
        }) {
            assertThat(redriven(accept)).as(accept).isEqualTo("application/x-ndjson");
        }
        for (String accept : new String[] {
            "*/*", "application/json", "application/x-ndjsonl", "application/json, application/x-ndjson;q=0.0"
        }) {
            assertThat(redriven(accept)).as(accept).isEqualTo("application/json");
        }
    }

    /** The media type of what takes long. */
    private String redriven(String accept) {
        return asking.ask(new Request("POST", "/v1/runs/bulk", "{\"action\":\"cancel\"}").with("Accept", accept))
                .mediaType();
    }

    @Test
    void aQueueIsCreatedOnce() {
        String queue = "{\"name\":\"mails\"}";
        assertThat(asking.ask("POST", "/v1/queues", queue).status()).isEqualTo(201);
        assertThat(asking.ask("POST", "/v1/queues", queue).status()).isEqualTo(200);
    }

    @Test
    void aRequestIdThatIsNoneIsNamed() {
        Answer answer = asking.ask(new Request("POST", "/v1/workflows/order/runs", "{}").with("Perdure-Request", "x"));
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.json().path("field").asString()).isEqualTo("Perdure-Request");
    }

    @Test
    void pagesOfOtherSitesCannotUseAServerWithoutKeys() throws Exception {
        String purge = "POST /v1/queues/mails/purge HTTP/1.1\r\nConnection: close\r\n";
        server.engine().createQueue("mails");
        for (String headers : new String[] {
            "Host: localhost\r\nOrigin: https://elsewhere.example\r\n",
            "Host: elsewhere.example\r\n",
            "Host: 127.0.0.1.elsewhere.example\r\n"
        }) {
            assertThat(RawRequest.of(purge + headers + "\r\n").send(server.port()))
                    .as(headers)
                    .isEqualTo(401);
        }
        for (String headers :
                new String[] {"Host: localhost:7450\r\nOrigin: http://localhost:7450\r\n", "Host: [::1]\r\n"}) {
            assertThat(RawRequest.of(purge + headers + "\r\n").send(server.port()))
                    .as(headers)
                    .isEqualTo(200);
        }
    }
}
