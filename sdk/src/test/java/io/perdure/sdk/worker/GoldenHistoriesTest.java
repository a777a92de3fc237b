package io.perdure.sdk.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.EventJson;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a release recorded goes on in every later one. A file has one line per event, and with it what the code is to do next where
 * the history ends there, an hour later. Files are added, never changed.
 */
class GoldenHistoriesTest {
    private static final Path FOLDER = Path.of("src/test/resources/io/perdure/sdk/histories/v1");
    private static final String REWRITE = "perdure.rewrite";

    static Stream<String> files() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList().stream();
        }
    }

    static Stream<String> scenarios() {
        return Scenarios.all().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyPartOfAKeptHistoryStillLeadsToTheSame(String file) throws IOException {
        List<Recorded> history = new ArrayList<>();
        for (String line : Files.readAllLines(FOLDER.resolve(file))) {
            JsonObject object = JsonObject.parse(Json.of(line));
            history.add(new Recorded(
                    object.integer("seq"),
                    Instant.parse(object.string("at")),
                    object.get("until")
                            .map(until -> Instant.parse(Objects.requireNonNull(
                                    Codec.standard().<String>read(until, String.class, "until"))))
                            .orElse(null),
                    EventJson.read(object.get("event").orElseThrow())));

            assertThat(next(file.replace(".jsonl", ""), history))
                    .as("%s after event %s", file, history.getLast())
                    .isEqualTo(object.string("next"));
        }
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void todaysCodeRecordsTheSame(String scenario) throws IOException {
        StringBuilder lines = new StringBuilder();
        List<Recorded> history = new ArrayList<>();
        for (Recorded recorded :
                Scenarios.record(Objects.requireNonNull(Scenarios.all().get(scenario)))) {
            history.add(recorded);
            Instant until = recorded.until();
            lines.append(JsonObject.builder()
                            .put("seq", recorded.seq())
                            .put("at", recorded.at().toString())
                            .put("until", until == null ? null : Json.string(until.toString()))
                            .put("event", EventJson.write(recorded.event()))
                            .put("next", next(scenario, history))
                            .build()
                            .text())
                    .append('\n');
        }
        Path file = FOLDER.resolve(scenario + ".jsonl");
        if (Boolean.getBoolean(REWRITE)) {
            Files.createDirectories(FOLDER);
            Files.writeString(file, lines);
        }

        assertThat(lines.toString()).isEqualTo(Files.readString(file, StandardCharsets.UTF_8));
    }

    @Test
    void everyFileHasItsScenario() throws IOException {
        assertThat(files().map(file -> file.replace(".jsonl", "")))
                .containsExactlyElementsOf(Scenarios.all().keySet());
    }

    private static String next(String scenario, List<Recorded> history) {
        Event last = history.getLast().event();
        if (last instanceof Event.RunCompleted || last instanceof Event.RunFailed) {
            return "ended";
        }
        Assignment assignment = new Assignment(
                new Held(Histories.RUN, new UUID(0, 1)),
                new WorkflowName("sample"),
                1,
                0,
                history.getLast().at().plusSeconds(3_600),
                null,
                history,
                Mailbox.EMPTY);
        Command next = Replayer.next(
                Objects.requireNonNull(Scenarios.all().get(scenario)).after(), Codec.standard(), assignment);
        // Its sentence may be worded better one day.
        return next instanceof Command.Park park ? "Park[reason=" + park.reason() + "]" : next.toString();
    }
}
