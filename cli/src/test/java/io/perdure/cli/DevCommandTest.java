package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.cli.dev.DevWorkflows;
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
    private static final Pattern CURL =
            Pattern.compile("  curl -s '?(\\S+?)'?(?: -H '([^:]+): ([^']+)' -d '([^']+)')?");

    /** Sends what a line of the banner would have sent. */
    private static HttpResponse<String> send(HttpClient client, String line) throws IOException, InterruptedException {
        Matcher curl = CURL.matcher(line);
        assertThat(curl.matches()).as(line).isTrue();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(curl.group(1)));
        if (curl.group(4) != null) {
            request.header(curl.group(2), curl.group(3)).POST(HttpRequest.BodyPublishers.ofString(curl.group(4)));
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void everyLineOfTheBannerWorks(@TempDir Path folder) throws IOException, InterruptedException {
        String store = "jdbc:sqlite:" + folder.resolve("dev.db");
        List<String> answers = new ArrayList<>();
        try (PerdureServer server = PerdureServer.start(ServerOptions.of(store).port(0));
                HttpClient client = HttpClient.newHttpClient()) {
            DevWorkflows.all().forEach(server.engine()::register);
            server.engine().start();
            for (String line : DevCommand.banner(server.url().toString(), store, false)) {
                if (line.startsWith("  curl")) {
                    HttpResponse<String> answer = send(client, line);
                    assertThat(answer.statusCode())
                            .as(line + "\n" + answer.body())
                            .isBetween(200, 201);
                    answers.add(answer.body());
                }
            }
        }

        assertThat(answers.get(1)).contains("\"status\":\"completed\"", "\"output\":\"user-");
        assertThat(answers.get(4)).contains("\"name\":\"ask\"", "\"name\":\"decision\"");
        assertThat(answers.getLast()).contains("\"to\": \"ann@example.com\"");
    }
}
