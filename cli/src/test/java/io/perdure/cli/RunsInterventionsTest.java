package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Match;
import io.perdure.sdk.workflow.Workflow;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Signals, cancelling and resuming from the command line, and what is seen of them. */
class RunsInterventionsTest extends RunsFixture {
    private static final Workflow<String, String> APPROVE = Workflow.named("approve")
            .run(String.class, String.class, (ctx, order) -> {
                Json word = ctx.waitForEvent(
                        "word", Json.class, Match.where("order", order).event("approval"));
                boolean heard = ctx.waitForEvent("encore", Json.class, Duration.ofMillis(1))
                        .isPresent();
                return word.text() + (heard ? " twice" : "");
            });

    /** The same version, changed under its runs. */
    private static final Workflow<String, String> IMPATIENT =
            Workflow.named("approve").run(String.class, String.class, (_, order) -> "no word on " + order);

    /** Another version, which waits for the same. */
    private static final Workflow<String, String> SECOND = Workflow.named("approve")
            .version(2)
            .run(String.class, String.class, (ctx, order) -> {
                ctx.waitForEvent("word", Json.class, Match.where("order", order).event("approval"));
                return "done by the second";
            });

    /** A run that nobody works on yet. */
    private String started() {
        try (Perdure perdure = Perdure.open(store)) {
            return perdure.start("approve", Json.of("\"o-1\""), StartOptions.defaults())
                    .id()
                    .toString();
        }
    }

    @Test
    void aSignalIsKeptUntilItsWaitAndEachIdCountsOnce() {
        String id = started();

        assertSays(runs("signal", id, "approval", "{\"order\": \"o-2\"}"), "Sent signal approval to run " + id + ".");
        assertSays(
                Invocation.fed("{\"order\":\n \"o-1\"}\n", inStore("signal", id, "approval", "-", "--dedup", "m-1")),
                "Sent signal approval to run " + id + ".");
        assertSays(
                runs("signal", id, "approval", "7", "--dedup", "m-1"),
                "Nothing was sent: run " + id + " was sent a signal with id \"m-1\" before.");
        JsonNode again = json("signal", id, "approval", "--dedup", "m-1");
        assertThat(again.get("sent").asBoolean()).isFalse();
        JsonNode nothing = json("signal", id, "encore");
        assertThat(nothing.get("id").asString()).isEqualTo(id);
        assertThat(nothing.get("event").asString()).isEqualTo("encore");
        assertThat(nothing.get("sent").asBoolean()).isTrue();

        try (Perdure worker = Perdure.open(store).register(APPROVE).start()) {
            Run<String> run = worker.run(APPROVE, RunId.parse(id));
            assertThat(run.result(A_MINUTE)).isEqualTo("{\"order\":\n \"o-1\"} twice");
        }
        assertThat(runs("history", id).out())
                .contains("word received event approval: {\"order\": \"o-1\"}", "encore received event encore: null");
        assertFails(runs("signal", id, "approval"), 1, "PD-302 Run " + id + " is completed and takes no signals.");
        assertFails(runs("cancel", id), 1, "PD-302 ");
    }

    @Test
    void aWaitIsShownWhileItLastsAndAfterwards() {
        try (Perdure worker = Perdure.open(store).register(APPROVE).start()) {
            Run<String> run = worker.start(APPROVE, "o-1");
            String id = run.id().toString();
            await(run, Event.WaitStarted.class);

            assertThat(runs("get", id).out())
                    .containsPattern("status +running")
                    .containsPattern("word +[0-9.]+ s +waits for event approval\\R");
            assertThat(runs("history", id).out()).contains("word waits for event approval with {\"order\":\"o-1\"}");
            JsonNode wait = json("get", id).get("steps").get(0);
            assertThat(wait.get("kind").asString()).isEqualTo("wait");
            assertThat(wait.get("event").asString()).isEqualTo("approval");
            assertThat(wait.has("endedAt")).isFalse();

            runs("signal", id, "approval", "{\"order\": \"o-1\", \"by\": \"ann\"}");
            assertThat(run.result(A_MINUTE)).isEqualTo("{\"order\": \"o-1\", \"by\": \"ann\"}");

            assertThat(runs("get", id).out())
                    .containsPattern("word +[0-9.]+ s +[0-9.]+ s +received \\{\"order\": \"o-1\", \"by\": \"ann\"}")
                    .containsPattern("encore +[0-9.]+ s +0\\.001 s +timed out: no event came");
            assertThat(runs("history", id).out())
                    .containsPattern("encore waits for event encore, at most until 20\\S+Z")
                    .contains("encore timed out: no event came");
        }
    }

    @Test
    void whoWatchesSeesTheSignalAndTheCancellation() throws Exception {
        try (Perdure worker = Perdure.open(store).register(APPROVE).start()) {
            Run<String> run = worker.start(APPROVE, "o-1");
            String id = run.id().toString();
            CompletableFuture<Invocation> watched =
                    CompletableFuture.supplyAsync(() -> runs("watch", id, "--timeout", "1m"));
            await(run, Event.WaitStarted.class);

            assertSays(runs("cancel", id, "--reason", "ordered\ntwice"), "Cancelled run " + id + ".");

            Invocation seen = watched.get(1, TimeUnit.MINUTES);
            assertThat(seen.out())
                    .containsSubsequence(
                            "   0  20",
                            "run of approve started with \"o-1\"",
                            "word waits for event approval with {\"order\":\"o-1\"}",
                            "run cancelled by user: ordered twice");
            assertThat(seen.err()).startsWith("PD-311 Run " + id + " was cancelled: ordered");
            assertThat(seen.exitCode()).isEqualTo(1);
        }
    }

    @Test
    void aRunIsCancelledOnceAndSaysWhy() {
        String id = started();

        JsonNode cancelled = json("cancel", id);
        assertThat(cancelled.get("id").asString()).isEqualTo(id);
        assertThat(cancelled.get("status").asString()).isEqualTo("cancelled");
        assertThat(cancelled.get("changed").asBoolean()).isTrue();
        assertSays(runs("cancel", id, "--reason", "again"), "Nothing was done: run " + id + " was cancelled before.");
        assertThat(json("cancel", id).get("changed").asBoolean()).isFalse();

        assertThat(runs("get", id).out())
                .containsPattern("status +cancelled")
                .containsPattern("error +cancelled by user: on the command line\\R");
        assertFails(runs("signal", id, "approval"), 1, "PD-302 ");
        assertFails(runs("resume", id), 1, "PD-302 ");
    }

    /** Parks a run, by code that asks for nothing where a wait is recorded. */
    private String parked() {
        RunId id;
        try (Perdure worker = Perdure.open(store).register(APPROVE).start()) {
            Run<String> run = worker.start(APPROVE, "o-1");
            id = run.id();
            await(run, Event.WaitStarted.class);
        }
        try (Perdure worker = Perdure.open(store).register(IMPATIENT).start()) {
            worker.signal(id, "approval", Json.of("{\"order\": \"o-1\"}"));
            await(worker.run(id), Event.RunParked.class);
        }
        return id.toString();
    }

    @Test
    void aParkedRunTakesSignalsAndGoesOnWhenItIsResumed() {
        String id = parked();
        Invocation signalled = runs("signal", id, "encore");
        assertThat(signalled.out()).contains("The run is parked: it can take the signal once it is resumed.");
        assertThat(runs("history", id).out()).contains("run parked: PD-104 Run " + id);
        assertThat(runs("get", id).out())
                .containsPattern("status +parked")
                .containsPattern("error +PD-104 Run " + id)
                .contains("Once that is mended:  perdure runs resume --store " + store + " " + id);
        assertThat(runs("watch", id, "--timeout", "0s").err())
                .contains("PD-316 Run " + id + " of approve@1 is parked: PD-104 Run " + id);
        assertThat(runs("watch", id, "--timeout", "0s", "--across-parking").err())
                .contains("PD-312 Run " + id + " is parked after it was followed for PT0S: PD-104 Run " + id);

        Invocation resumed = runs("resume", id, "--reason", "the old code is back");
        assertSays(resumed, "Resumed run " + id + ": it is due now.");
        assertThat(resumed.out()).contains("Follow it:  perdure runs watch --store " + store + " " + id);
        assertFails(runs("resume", id), 1, "PD-304 Run " + id + " is running");

        try (Perdure worker = Perdure.open(store).register(APPROVE).start()) {
            assertThat(worker.run(APPROVE, RunId.parse(id)).result(A_MINUTE)).isEqualTo("{\"order\": \"o-1\"} twice");
        }
        assertThat(runs("history", id).out()).contains("run resumed by user: the old code is back");
    }

    @Test
    void aRunIsResumedWithAnotherVersion() {
        String id = parked();
        JsonNode resumed = json("resume", id, "--workflow-version", "2");
        assertThat(resumed.get("status").asString()).isEqualTo("running");
        assertThat(resumed.get("version").asInt()).isEqualTo(2);
        assertThat(runs("get", id).out()).containsPattern("workflow +approve, version 2\\R");
        assertThat(runs("history", id).out()).contains("run resumed by user with version 2: on the command line");

        try (Perdure worker = Perdure.open(store).register(SECOND).start()) {
            assertThat(worker.run(SECOND, RunId.parse(id)).result(A_MINUTE)).isEqualTo("done by the second");
        }
    }

    @Test
    void aParkedRunIsCancelledAsWell() {
        String id = parked();

        assertSays(runs("cancel", id), "Cancelled run " + id + ".");
        assertThat(json("get", id).get("status").asString()).isEqualTo("cancelled");
    }

    @Test
    void badValuesAreCodedAndLeaveNoStoreBehind() {
        assertFails(runs("signal"), 2, "PD-901 Missing required parameter");
        assertFails(runs("signal", NOBODY), 2, "PD-901 Missing required parameter");
        assertFails(runs("signal", NOBODY, "not a name"), 2, "PD-001 ");
        assertFails(runs("signal", NOBODY, "__child.x"), 2, "PD-001 Signal \"__child.x\" cannot be sent");
        assertFails(runs("signal", NOBODY, "e", "{order: 1}"), 2, "PD-004 The payload: ");
        assertFails(runs("signal", NOBODY, "e", ""), 2, "PD-004 ");
        assertFails(runs("signal", NOBODY, "e", "1", "2"), 2, "PD-901 ");
        assertFails(runs("signal", NOBODY, "e", "--dedup", ""), 2, "PD-002 ");
        assertFails(Invocation.fed("{", inStore("signal", NOBODY, "e", "-")), 2, "PD-004 ");
        assertFails(Invocation.fed("1".repeat(1 << 21), inStore("signal", NOBODY, "e", "-")), 2, "PD-003 ");
        assertFails(runs("cancel"), 2, "PD-901 Name a run, or say by options which ones; --all is all of them.");
        assertFails(runs("resume"), 2, "PD-901 Name a run, or say by options which ones; --all is all of them.");
        assertFails(runs("resume", NOBODY, "--workflow-version", "0"), 2, "PD-007 A workflow's version is 0, below 1.");
        assertFails(runs("resume", NOBODY, "--workflow-version", "two"), 2, "PD-901 ");
        assertThat(Files.exists(file)).isFalse();
    }

    private static String[] command(String name, String id) {
        return name.equals("signal") ? new String[] {name, id, "approval"} : new String[] {name, id};
    }

    @ParameterizedTest
    @ValueSource(strings = {"signal", "cancel", "resume"})
    void aRunThatIsNotThereIsACodedError(String name) {
        assertFails(runs(command(name, "17")), 2, "PD-006 Run id \"17\" is not a UUID.");
        assertThat(Files.exists(file)).isFalse();
        assertFails(runs(command(name, NOBODY)), 1, "PD-301 Tenant default has no run " + NOBODY);
        assertThat(runs(command(name, NOBODY)).err()).contains("It was looked for in " + store);
    }

    @ParameterizedTest
    @ValueSource(strings = {"signal", "cancel", "resume"})
    void everyCommandHasHelpOfItsOwn(String command) {
        assertThat(Invocation.of("runs", command, "--help").out())
                .contains("Usage: perdure runs " + command, "--store", "--format");
        assertThat(Invocation.of("runs").out()).containsPattern("(?m)^ +" + command + " ");
    }
}
