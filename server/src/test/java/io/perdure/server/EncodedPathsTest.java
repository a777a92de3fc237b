package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.wire.Terms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is percent-encoded in a path is data of its part, and leads to no other operation. */
class EncodedPathsTest {
    @TempDir
    private static Path directory;

    private static Served served;
    private static MessageQueue queue;

    @BeforeAll
    static void serve() {
        served = new Served(
                ServerOptions.of("jdbc:sqlite:" + directory.resolve("store.db")).port(0));
        queue = served.engine().createQueue("slash");
        queue.send(Json.of("1"));
    }

    @AfterAll
    static void close() {
        served.close();
    }

    private static int post(String path, String body, String key) throws IOException {
        String authorization = key.isEmpty() ? "" : "Authorization: Bearer " + key + "\r\n";
        String request = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\n" + authorization
                + "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n"
                + Terms.PROTOCOL_HEADER + ": " + Terms.PROTOCOL + "\r\n"
                + Terms.WORKER_HEADER + ": " + UUID.randomUUID() + "\r\nConnection: close\r\n\r\n" + body;
        return new RawRequest(request.getBytes(StandardCharsets.ISO_8859_1), false).send(served.server.port());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/queues/slash%2Fpurge",
                "/v1/queues/slash%2fpurge",
                "/v1%2Fqueues%2Fslash%2Fpurge",
                "/v1/queues%2Fslash/purge",
                "/v1/queues/slash%252Fpurge",
                "/v1/queues/slash%5Cpurge",
                "/v1/queues/slash\\purge",
                "/v1/queues/x/../slash/purge",
                "/v1/queues/x/%2E%2E/slash/purge",
                "/v1/queues/x%2F../slash/purge",
                "/v1/queues/./slash/purge",
                "/v1/queues/%2E/slash/purge",
                "/v1/queues/slash%2E/purge",
                "/v1/queues/slash%00/purge",
                "/v1/queues/slash/purge%00",
                "/v1/queues/slash;a=b/purge",
                "/v1/queues/slash%3Ba=b/purge",
                "/v1/queues/slash/purge;a=b",
                "/v1/queues/slash/purge%2F",
                "/v1/queues/slash/purge/",
                "/v1/queues/slash//purge",
                "//v1/queues/slash/purge",
                "/v1/queues/slash/purge%",
                "/v1/queues/slash/purge%zz",
                "/v1/queues/slash%C0%AFpurge"
            })
    void separatorThatIsEncoded_isDataOrRefused(String path) throws IOException {
        assertThat(post(path, "{}", served.admin)).isBetween(400, 499);
        assertThat(post(path, "{}", "")).isBetween(400, 499);
        assertThat(queue.status().figures().depth()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/worker%2Fclaim",
                "/v1%2Fworker/claim",
                "/v1%2Fworker%2Fclaim",
                "/v1/worker%252Fclaim",
                "/v1/x/../worker/claim",
                "/v1/x/%2E%2E/worker/claim",
                "/v1/./worker/claim",
                "/v1/worker;a=b/claim",
                "/v1/worker/claim;a=b",
                "/v1/worker/claim/",
                "/v1/worker//claim",
                "//v1/worker/claim",
                "/v1/worker/claim%2F",
                "/v1/worker/claim%00",
                "/v1/worker/claim%",
                "/v1/worker%5Cclaim",
                "/v1/worker/x%2F..%2Fclaim"
            })
    void separatorThatIsEncoded_leadsToNoRouteOfWorkers(String path) throws IOException {
        String claim = "{\"served\":[{\"workflow\":\"sample\",\"versions\":[1]}],\"max\":1}";
        assertThat(post(path, claim, served.admin)).isBetween(400, 499);
        assertThat(post(path, claim, "")).isBetween(400, 499);
        assertThat(post("/v1/worker/claim", claim, served.admin)).isEqualTo(200);
    }

    @Test
    void letterThatIsEncoded_isThatLetter() throws IOException {
        String other = served.filledQueue();
        assertThat(post("/v1/q%75eues/" + other + "/purge", "{}", served.admin)).isEqualTo(200);
        assertThat(post("/v1/q%75eues/" + other + "/purge", "{}", "")).isEqualTo(401);
        assertThat(post("/v1/worker/%63laim", "{}", "")).isEqualTo(401);
        assertThat(served.engine().queue(other).status().figures().depth()).isZero();
    }
}
