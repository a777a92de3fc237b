package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs the demo for real: processes, SIGKILL and all. */
class DemoCommandTest {
    private static final Pattern FOLDER = Pattern.compile("Its files are in (\\S+)\\. ");

    @Test
    void everyPromiseIsKeptAndToldInOrder() throws IOException {
        Invocation demo = Invocation.in(Map.of("COLUMNS", "80", "NO_COLOR", "1"), "demo", "--within", "5m");

        assertThat(demo.err()).isEmpty();
        assertThat(demo.exitCode()).isZero();
        assertThat(demo.out())
                .containsSubsequence(
                        "worker 1  starts as process ",
                        "reserve-stock     done",
                        "charge-card       attempt 1 failed, again in 400 ms",
                        "charge-card       attempt 2 failed, again in 400 ms",
                        "charge-card       done at attempt 3",
                        "wait-for-carrier  sleeps 2 s",
                        "pack              work done, but not returned yet",
                        "kill -9   worker 1, process ",
                        "(exit code 137)",
                        "signal    courier-is-here   no worker lives: the store keeps it",
                        "worker 2  starts as process ",
                        "goes on from the history",
                        "pack              begun again: work done before, by its key",
                        "pack              done",
                        "courier-is-here   the signal was there already, and is taken",
                        "send-parcel       done",
                        "send-mail         done",
                        "the run is completed",
                        "NO  TIME",
                        "courier-is-here received event courier-is-here:",
                        "{\"order\":\"A-17\",\"name\":\"Mia\"}",
                        "run completed: {\"order\":\"A-17\",\"cents\":4900,\"courier\":\"Mia\"}",
                        "  ✓ killed in mid-step             exit code 137",
                        "  ✓ every effect exactly once      5 effects under 5 idempotency keys",
                        "  ✓ the signal taken exactly once  2 sent under one id",
                        "All 7 promises were kept, in ")
                .doesNotContain("✗", "\u001B");
        assertThat(demo.out().lines()).allMatch(line -> line.length() <= 80);
        assertThat(withoutNumbers(demo.out())).containsSubsequence(linesOfTheReadme());
    }

    /** What the README shows of the demo, which leaves some lines out. */
    private static List<String> linesOfTheReadme() throws IOException {
        Matcher block = Pattern.compile("```\\n( +\\d[^`]*promises were kept[^`]*)```")
                .matcher(Files.readString(Path.of("../README.md")));
        assertThat(block.find()).isTrue();
        return block.group(1)
                .lines()
                .filter(line -> !line.isBlank() && !line.contains("…"))
                .map(DemoCommandTest::withoutNumbers)
                .toList();
    }

    /** What lasts, however wide the terminal is. */
    private static String withoutNumbers(String text) {
        return text.replaceAll("\\d+(\\.\\d+)?", "#").replaceAll("\\s+", " ").strip();
    }

    @Test
    void programsReadThePromisesAndTheHistory() {
        Invocation demo = Invocation.of("demo", "--within", "5m", "--format", "json");

        assertThat(demo.err()).isEmpty();
        assertThat(demo.exitCode()).isZero();
        JsonNode json = JsonMapper.shared().readTree(demo.out());
        assertThat(json.get("kept").asBoolean()).isTrue();
        assertThat(json.get("tookMillis").asLong()).isGreaterThan(2_000);
        assertThat(json.get("promises").values())
                .hasSize(7)
                .allMatch(promise -> promise.get("kept").asBoolean());
        assertThat(json.get("history").values())
                .last()
                .satisfies(last ->
                        assertThat(last.get("event").get("type").asString()).isEqualTo("RunCompleted"));
    }

    @Test
    void aDemoThatIsNotDoneInTimeEndsItsProcessesAndKeepsItsFiles() throws IOException {
        List<ProcessHandle> before = ProcessHandle.current().children().toList();

        Invocation demo = Invocation.of("demo", "--within", "1ms", "--format", "json");

        assertThat(demo.exitCode()).isEqualTo(1);
        assertThat(demo.out()).isEmpty();
        assertThat(demo.err())
                .startsWith("PD-905 The demo was not finished. The time is over, and the order is not done. ")
                .hasLineCount(1);
        assertThat(ProcessHandle.current().children().filter(child -> !before.contains(child)))
                .isEmpty();
        Matcher folder = FOLDER.matcher(demo.err());
        assertThat(folder.find()).isTrue();
        assertThat(Path.of(folder.group(1)).resolve("worker-1.log")).exists();
        delete(Path.of(folder.group(1)));
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Test
    void theRootHelpListsItFirst() {
        assertThat(Invocation.of("--help").out()).containsPattern("Commands:\\R +demo ");
        assertThat(Invocation.of("demo", "--help").out()).contains("Usage: perdure demo", "--format", "--within");
        assertThat(Invocation.of("demo", "--within=-PT1S").err()).startsWith("PD-007 ");
    }

    @Test
    void coloursAreForTerminalsWhereTheyAreWanted() {
        assertThat(terminal(Map.of("COLUMNS", "80")).colours()).isTrue();
        assertThat(terminal(Map.of("COLUMNS", "80", "NO_COLOR", "1")).colours()).isFalse();
        assertThat(terminal(Map.of("COLUMNS", "80", "TERM", "dumb")).colours()).isFalse();
        assertThat(terminal(Map.of()).colours()).isFalse();
    }

    private static Terminal terminal(Map<String, String> environment) {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        return Terminal.of(InputStream.nullInputStream(), nowhere, nowhere, environment);
    }
}
