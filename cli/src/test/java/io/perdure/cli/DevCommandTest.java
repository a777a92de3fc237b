package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.cli.dev.DevWorkflows;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.key.Role;
import io.perdure.server.PerdureServer;
import io.perdure.server.ServerOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DevCommandTest {
    private static final String KEY = " -H \"Authorization: Bearer $PERDURE_KEY\"";
    private static final String STEPS = "/steps'";
    private static final String COMPLETED = "\"status\":\"completed\"";
    private static final Pattern CURL = Pattern.compile(
            "  curl -s '?(\\S+?)'?(" + Pattern.quote(KEY) + ")?(?: -H '([^:]+): ([^']+)' -d '([^']+)')?");

    @TempDir
    Path folder;

    /** Sends what a line of the banner would have sent. */
    private static HttpResponse<String> send(HttpClient client, String line, String token)
            throws IOException, InterruptedException {
        Matcher curl = CURL.matcher(line);
        assertThat(curl.matches()).as(line).isTrue();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(curl.group(1)));
        if (curl.group(2) != null) {
            request.header("Authorization", "Bearer " + token);
        }
        if (curl.group(5) != null) {
            request.header(curl.group(3), curl.group(4)).POST(HttpRequest.BodyPublishers.ofString(curl.group(5)));
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Waits for the end of the run whose steps a line asks for: a worker makes them, not the requests before. */
    private static void awaitResult(HttpClient client, String line, String token)
            throws IOException, InterruptedException {
        String result = line.replace(STEPS, "/result?wait=30'");
        HttpResponse<String> answer = send(client, result, token);
        for (int again = 0; again < 3 && !answer.body().contains(COMPLETED); again++) {
            answer = send(client, result, token);
        }
        assertThat(answer.body()).as(result).contains(COMPLETED);
    }

    /** What the lines of the banner are answered, of which each is answered well. */
    private static List<String> answers(PerdureServer server, String token) throws IOException, InterruptedException {
        List<String> answers = new ArrayList<>();
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (String line : DevCommand.banner(server.url().toString(), "jdbc:sqlite:x.db", server.needsKey())) {
                if (line.startsWith("  curl")) {
                    if (line.contains(STEPS)) {
                        awaitResult(client, line, token);
                    }
                    HttpResponse<String> answer = send(client, line, token);
                    assertThat(answer.statusCode())
                            .as(line + "\n" + answer.body())
                            .isBetween(200, 201);
                    answers.add(answer.body());
                }
            }
        }
        return answers;
    }

    private PerdureServer serve() {
        PerdureServer server = PerdureServer.start(
                ServerOptions.of("jdbc:sqlite:" + folder.resolve("dev.db")).port(0));
        DevWorkflows.all().forEach(server.engine()::register);
        server.engine().start();
        return server;
    }

    @Test
    void everyLineOfTheBannerWorks() throws IOException, InterruptedException {
        try (PerdureServer server = serve()) {
            assertAnswered(answers(server, ""));
        }
    }

    @Test
    void everyLineOfTheBannerWorksWithAKey() throws IOException, InterruptedException {
        try (PerdureServer server = serve()) {
            String token = server.engine()
                    .keys()
                    .create(TenantId.DEFAULT, "me", Role.CLIENT, null)
                    .token();
            assertThat(server.needsKey()).isTrue();

            assertAnswered(answers(server, token));
        }
    }

    @Test
    void theBannerSaysWhereAKeyComesFromInWordsThatAShellTakes() {
        assertThat(DevCommand.banner("http://127.0.0.1:7450", "jdbc:sqlite:my dev.db", true))
                .contains(
                        "It has keys: put one into PERDURE_KEY (perdure key create me --store 'jdbc:sqlite:my dev.db').")
                .filteredOn(line -> line.startsWith("  curl"))
                .isNotEmpty()
                .allMatch(line -> line.contains(KEY));
        assertThat(DevCommand.banner("http://127.0.0.1:7450", "jdbc:sqlite:my dev.db", false))
                .noneMatch(line -> line.contains("PERDURE_KEY"));
    }

    private static void assertAnswered(List<String> answers) {
        assertThat(answers.get(1)).contains(COMPLETED, "\"output\":\"user-");
        assertThat(answers.get(4)).contains("\"name\":\"ask\"", "\"name\":\"decision\"");
        assertThat(answers.getLast()).contains("\"to\": \"ann@example.com\"");
    }
}
