package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs the commands of a page, one after another, with what they need in place of what the page writes for it. */
final class PageSession {
    private static final String SERVER_OF_THE_PAGES = "http://127.0.0.1:7450";
    private static final Pattern RUN = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final Pattern KEY = Pattern.compile("\\b[a-z2-7]{16}\\b");

    /** What the commands read from standard input: two messages. */
    private static final String INPUT = "{\"to\": \"ann@example.com\"}\n{\"to\": \"bob@example.com\"}\n";

    private final Stage stage;
    private String run = "";
    private String key = "";

    PageSession(Stage stage) {
        this.stage = stage;
    }

    void run(ShownCommand command) throws IOException, InterruptedException {
        String said = command.isCurl() ? asked(command) : answered(command);
        Matcher id = RUN.matcher(said);
        run = id.find() ? id.group() : run;
        Matcher made = KEY.matcher(said.replaceFirst("pd_([a-z2-7]{16})_.*", "$1"));
        key = made.find() ? made.group() : key;
        if (!command.output().isEmpty()) {
            assertThat(CommandSession.lasting(said.strip()))
                    .as(command.toString())
                    .isEqualTo(CommandSession.lasting(command.output()));
        }
    }

    private String answered(ShownCommand command) {
        List<String> words = new ArrayList<>();
        for (String word : command.arguments()) {
            words.add(own(command, word));
        }
        Map<String, String> environment = Map.of("PERDURE_STORE", stage.store());
        Invocation said = Invocation.fed(INPUT, environment, words.toArray(String[]::new));
        assertThat(said.exitCode()).as("%s%n%s", command, said.err()).isZero();
        return said.out();
    }

    /** In place of what stands for anybody's run, message or key, one as this command needs it. */
    private String own(ShownCommand command, String word) {
        return switch (word) {
            case "RUN" -> stage.runFor(command.arguments().get(1));
            case "RECEIPT", "RECEIPT..." -> stage.receipt("mail");
            case "ID", "ID..." -> stage.deadLetter(command.arguments().get(2));
            default -> {
                if (KEY.matcher(word).matches()) {
                    yield key;
                }
                yield word.startsWith("jdbc:sqlite:") ? stage.store() : word.replace(SERVER_OF_THE_PAGES, stage.url());
            }
        };
    }

    /** Does what curl would: {@code -s}, {@code -H}, {@code -X}, {@code -d}. */
    private String asked(ShownCommand command) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder();
        String method = "GET";
        String body = "";
        List<String> words = command.arguments();
        for (int i = 0; i < words.size(); i++) {
            switch (words.get(i)) {
                case "-s" -> {}
                case "-X" -> method = words.get(++i);
                case "-H" -> request.headers(words.get(++i).split(": ", 2));
                case "-d" -> {
                    body = words.get(++i);
                    method = method.equals("GET") ? "POST" : method;
                }
                default ->
                    request.uri(
                            URI.create(RUN.matcher(own(command, words.get(i))).replaceAll(run)));
            }
        }
        request.method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        try (HttpClient client = HttpClient.newHttpClient()) {
            var answer = client.send(request.build(), BodyHandlers.ofString());
            assertThat(answer.statusCode()).as("%s%n%s", command, answer.body()).isBetween(200, 299);
            return answer.body();
        }
    }
}
