package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RunsCommandsTest extends RunsFixture {
    private static final SystemEnvironment ENVIRONMENT = new SystemEnvironment();
    private static final String ID = "[0-9a-f-]{36}";
    private static final Pattern STARTED = Pattern.compile("Started run (" + ID + ") of (\\w+)\\.\\R");

    private static final Workflow<String, String> GREET = Workflow.named("greet")
            .run(String.class, String.class, (ctx, name) -> {
                String greeting = ctx.step("compose", String.class, () -> "hello " + name);
                ctx.sleep("rest", Duration.ofMillis(300));
                ctx.step("send", () -> {});
                return greeting;
            });

    private static final Workflow<String, String> BREAK = Workflow.named("break_down")
            .run(String.class, String.class, (ctx, name) -> {
                ctx.step(
                        "crash",
                        () -> {
                            throw new IOException("no wire\u001B[31m\nat all");
                        },
                        Retry.fixed(2, Duration.ofMillis(1)));
                return name;
            });

    private Perdure worker() {
        return Perdure.open(store).register(GREET).register(BREAK).start();
    }

    private static String started(Invocation invocation) {
        Matcher matcher = STARTED.matcher(invocation.out());
        assertThat(matcher.lookingAt()).as(invocation.toString()).isTrue();
        return matcher.group(1);
    }

    @Test
    void aRunIsStartedWithoutItsCodeAndWaitsForWhoHasIt() {
        Invocation start = runs("start", "greet", "\"ann\"", "--tag", "b=2", "--tag", "a=1", "--workflow-id", "w-1");
        String id = started(start);

        assertThat(start.out()).contains("Follow it:  perdure runs watch --store " + store + " " + id);
        assertThat(runs("get", id).out())
                .containsPattern("run +" + id)
                .containsPattern("workflow +greet\\R")
                .containsPattern("status +running")
                .containsPattern("workflow id +w-1")
                .containsPattern("tags +a=1, b=2")
                .containsPattern("input +\"ann\"")
                .doesNotContain("result", "error", "STEP");
        Invocation watched = runs("watch", id, "--timeout", "10ms");
        assertThat(watched.err()).contains("PD-312 Run " + id + " is running ");
        assertThat(watched.exitCode()).isEqualTo(1);
        Invocation again = runs("start", "greet", "1", "--workflow-id", "w-1", "--format", "json");
        assertThat(JsonMapper.shared().readTree(again.out()).get("created").asBoolean())
                .isFalse();
        assertThat(runs("start", "greet", "1", "--workflow-id", "w-1").out())
                .startsWith("Nothing was started: run " + id + " of greet was there before.");
    }

    @Test
    @Timeout(120)
    void whoWaitsGetsTheResult() throws InterruptedException {
        try (Perdure worker = worker()) {
            Invocation waited = runs("start", "greet", "\"ann\"", "--wait", "1m");
            assertThat(waited.exitCode()).isZero();
            assertThat(waited.out()).endsWith("Result: \"hello ann\"" + System.lineSeparator());
            JsonNode json = json("start", "greet", "\"bob\"", "--wait", "1m", "--key", "k");
            assertThat(json.get("created").asBoolean()).isTrue();
            assertThat(json.get("status").asString()).isEqualTo("completed");
            assertThat(json.get("result").asString()).isEqualTo("hello bob");

            assertThat(json("start", "greet", "\"bob\"", "--key", "k").get("id"))
                    .isEqualTo(json.get("id"));
            assertFails(runs("start", "greet", "\"eve\"", "--key", "k"), 1, "PD-303 ");
            // A worker frees the slot of a run after its result is there.
            while (worker.working() > 0) {
                ENVIRONMENT.sleep(Duration.ofMillis(5));
            }
        }
    }

    @Test
    void aFailedRunFailsWhoWaitsForIt() {
        try (Perdure _ = worker()) {
            Invocation waited = runs("start", "break_down", "--wait", "1m");
            String id = started(waited);
            assertFails(waited, 1, "PD-310 Run " + id + " failed: java.io.IOException: no wire");

            Invocation asJson = runs("start", "break_down", "--wait", "1m", "--format", "json");
            assertFails(asJson, 1, "PD-310 ");
            assertThat(JsonMapper.shared().readTree(asJson.out()).get("id").asString())
                    .matches(ID);

            Invocation watched = runs("watch", id);
            assertFails(watched, 1, "PD-310 Run " + id + " failed");
            assertThat(watched.out())
                    .containsSubsequence(
                            "   0  20",
                            "run of break_down started with null",
                            "   1  20",
                            "crash failed at attempt 1: java.io.IOException: no wire\uFFFD[31m at all; next",
                            "   2  20",
                            "crash failed at attempt 2",
                            "not tried again",
                            "   3  20",
                            "run failed: java.io.IOException");
            assertThat(runs("get", id).out())
                    .containsPattern("status +failed")
                    .containsPattern("error +java.io.IOException: no wire\uFFFD\\[31m at all")
                    .containsPattern("crash +2 +failed: java.io.IOException");
        }
    }

    @Test
    void getAndHistory_ofAFailedRun_printTheStackTraceIndented() {
        try (Perdure _ = worker()) {
            Invocation waited = runs("start", "break_down", "--wait", "1m");
            String id = started(waited);

            String frame = "    at " + RunsCommandsTest.class.getName() + ".";
            assertThat(runs("get", id).out())
                    .containsOnlyOnce(
                            "java.io.IOException: no wire\uFFFD[31m at all" + System.lineSeparator() + "    " + frame)
                    .containsPattern("\\.\\.\\. \\d+ frames of Perdure");
            assertThat(runs("history", id)
                            .out()
                            .lines()
                            .filter(line -> line.equals("    java.io.IOException: no wire\uFFFD[31m at all")))
                    .as("one for each attempt, and none for the run, which has the last one's")
                    .hasSize(2);
            assertThat(json("get", id).get("error").get("stackTrace").asString())
                    .startsWith(
                            "java.io.IOException: no wire\uFFFD[31m at all\n\tat " + RunsCommandsTest.class.getName());
            assertThat(runs("start", "break_down", "--wait", "1m", "--stacktrace")
                            .err())
                    .contains(
                            "Caused by: java.io.IOException: no wire",
                            "\tat " + RunsCommandsTest.class.getName() + ".");
        }
    }

    @Test
    void get_whileAFailedStepWaitsForItsNextAttempt_printsItsStackTrace() throws InterruptedException {
        Workflow<String, String> later = Workflow.named("later")
                .run(
                        String.class,
                        String.class,
                        (ctx, _) -> ctx.step(
                                "call",
                                String.class,
                                () -> {
                                    throw new IOException("no wire");
                                },
                                Retry.fixed(2, Duration.ofHours(1))));
        try (Perdure engine = Perdure.open(store).register(later).start()) {
            Run<String> run = engine.start(later, "");
            while (run.history().size() < 2) {
                ENVIRONMENT.sleep(Duration.ofMillis(5));
            }

            assertThat(runs("get", run.id().toString()).out())
                    .containsSubsequence(
                            "Stack trace of step call:",
                            "    java.io.IOException: no wire",
                            "        at " + RunsCommandsTest.class.getName() + ".");
        }
    }

    @Test
    void whatHappensIsFollowedUntilTheEnd() {
        try (Perdure _ = worker()) {
            String id = started(runs("start", "greet", "\"ann\"", "--delay", "600ms", "--deadline", "1h"));

            Invocation watched = runs("watch", id, "--timeout", "1m");

            assertThat(watched.err()).isEmpty();
            assertThat(watched.exitCode()).isZero();
            assertThat(watched.out().lines()).hasSize(5);
            assertThat(watched.out())
                    .containsSubsequence(
                            "run of greet started with \"ann\", to end by 20",
                            "compose done: \"hello ann\"",
                            "rest sleeps until 20",
                            "send done",
                            "run completed: \"hello ann\"");
            List<JsonNode> lines = runs("watch", id, "--format", "json")
                    .out()
                    .lines()
                    .map(JsonMapper.shared()::readTree)
                    .toList();
            assertThat(lines).extracting(line -> line.get("seq").asInt()).containsExactly(0, 1, 2, 3, 4);
        }
    }

    @Test
    void aRunIsShownWithItsStepsAndItsHistory() {
        try (Perdure _ = worker()) {
            String id = started(runs("start", "greet", "\"ann\"", "--retention-days", "1", "--wait", "1m"));

            assertThat(runs("get", id).out())
                    .containsPattern("workflow +greet, version 1\\R")
                    .containsPattern("status +completed")
                    .containsPattern("ended +20\\S+Z, after [0-9.]+ s")
                    .containsPattern("kept for +1 day after its end")
                    .containsPattern("result +\"hello ann\"")
                    .containsPattern("STEP +ATTEMPTS +BEGAN +TOOK +WHAT CAME OF IT")
                    .containsPattern("compose +1 +-?[0-9.]+ s +[0-9.]+ s +\"hello ann\"")
                    .containsPattern("rest +[0-9.]+ s +0\\.300 s +slept")
                    .containsPattern("send +1 .* done");
            assertThat(runs("history", id).out())
                    .containsPattern("NO +TIME +WHAT HAPPENED")
                    .containsPattern("(?m)^4 +20\\S{22} +run completed: \"hello ann\"$");
            assertThat(Invocation.in(Map.of("COLUMNS", "80"), inStore("history", id))
                            .out()
                            .lines())
                    .allMatch(line -> line.length() <= 80);

            JsonNode run = json("get", id);
            assertThat(run.get("result").asString()).isEqualTo("hello ann");
            assertThat(run.get("steps").values())
                    .extracting(step -> step.get("kind").asString())
                    .containsExactly("step", "sleep", "step");
            assertThat(json("history", id).get(1).get("event").get("type").asString())
                    .isEqualTo("StepCompleted");
        }
    }

    @Test
    void theInputIsJsonAsItWasGiven() {
        Invocation piped = Invocation.fed("{\"n\":\n 1.50}\n", inStore("start", "greet", "-"));
        String id = started(piped);

        assertThat(runs("get", id).out()).containsPattern("input +\\{\"n\": 1\\.50}");
        assertThat(runs("get", id, "--format", "json").out()).contains("1.50");
        assertThat(json("get", started(runs("start", "greet"))).get("input").isNull())
                .isTrue();
    }

    @Test
    void badValuesAreCodedAndLeaveNoStoreBehind() {
        assertFails(runs("start"), 2, "PD-901 Missing required parameter");
        assertFails(runs("start", "Not A Name"), 2, "PD-001 ");
        assertFails(runs("start", "greet", "{name: 1}"), 2, "PD-004 The input: ");
        assertFails(runs("start", "greet", ""), 2, "PD-004 ");
        assertFails(runs("start", "greet", "--key", ""), 2, "PD-002 ");
        assertFails(runs("start", "greet", "--delay=-PT1S"), 2, "PD-007 Delay PT-1S is negative.");
        assertFails(runs("start", "greet", "--deadline=-PT1S"), 2, "PD-007 ");
        assertFails(runs("start", "greet", "--wait=-PT1S"), 2, "PD-007 A wait of PT-1S is negative.");
        assertFails(runs("start", "greet", "--delay", "soon"), 2, "PD-901 ");
        assertFails(runs("start", "greet", "--retention-days", "0"), 2, "PD-007 ");
        assertFails(runs("start", "greet", "--tag", "x"), 2, "PD-901 ");
        assertFails(runs("watch", NOBODY, "--timeout=-PT1S"), 2, "PD-007 A timeout of PT-1S is negative.");
        assertFails(runs("get"), 2, "PD-901 Missing required parameter: 'RUN'.");
        assertFails(Invocation.fed("{", inStore("start", "greet", "-")), 2, "PD-004 ");
        assertThat(Files.exists(file)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"get", "history", "watch"})
    void aRunThatIsNotThereIsACodedError(String command) {
        assertFails(runs(command, "17"), 2, "PD-006 Run id \"17\" is not a UUID.");
        assertThat(Files.exists(file)).isFalse();
        assertFails(runs(command, NOBODY), 1, "PD-301 Tenant default has no run " + NOBODY);
        assertThat(runs(command, NOBODY).err()).contains("It was looked for in " + store + ", seen from the folder ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"start", "get", "history", "watch"})
    void everyCommandHasHelpOfItsOwn(String command) {
        assertThat(Invocation.of("runs", command, "--help").out())
                .contains("Usage: perdure runs " + command, "--store", "--format");
        assertThat(Invocation.of("runs").out()).containsPattern("(?m)^ +" + command + " ");
    }
}
