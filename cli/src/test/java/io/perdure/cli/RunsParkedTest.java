package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.sdk.workflow.Workflow;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Runs that wait for somebody: parked ones, and those whose version nobody serves. */
class RunsParkedTest extends OrderFixture {
    private static final Workflow<String, String> SECOND =
            Workflow.named("order").version(2).run(String.class, String.class, (_, id) -> id);

    @Test
    void parkedRunsAreListedWithAllThatHelpsThem() {
        String first = parked();
        String second = parked();

        String listed = runs("list", "--status", "parked").out();
        assertThat(listed)
                .containsSubsequence(
                        second,
                        first,
                        "To resume all that one mend helps:  perdure runs resume --store " + store + " --workflow NAME")
                .containsPattern("(?m)^workflow +order@1$")
                .containsPattern("(?m)^parked +20\\S+Z, \\d+[smhd] ago$")
                .containsPattern("why +PD-104 Run " + first)
                .containsPattern("(?m)^explain +perdure explain PD-104$")
                .contains("perdure runs resume --store " + store + " " + first)
                .contains("perdure runs move --store " + store + " " + first
                        + " --to VERSION --classes PATH --definitions CLASS");
        assertThat(listed.replaceAll("\\s+", " "))
                .contains("recorded step \"reserve\", the code asked for step \"charge\"");
    }

    @Test
    void aReasonIsWrappedAndNotCut() {
        parked();

        String narrow = Invocation.in(Map.of("COLUMNS", "60"), inStore("list", "--status", "parked"))
                .out();

        assertThat(narrow.lines().filter(line -> line.startsWith("why") || line.startsWith("     ")))
                .hasSizeGreaterThan(2)
                .allMatch(line -> line.length() <= 60);
        assertThat(narrow.replaceAll("\\s+", " "))
                .contains("the code asked for step \"charge\"")
                .contains("resume the run.");
    }

    @Test
    void theVersionThatIsServedIsProposedToMoveTo() {
        parked();

        try (Perdure _ = Perdure.open(store).register(SECOND).start()) {
            assertThat(runs("list", "--status", "parked").out()).contains(" --to 2 --classes PATH");
        }
    }

    @Test
    void parkedRunsSpeakTheJsonOfOtherLists() {
        String id = parked();

        JsonNode run = json("list", "--status", "parked").get("runs").get(0);

        assertThat(run.get("id").asString()).isEqualTo(id);
        assertThat(run.get("status").asString()).isEqualTo("parked");
        assertThat(run.get("version").asInt()).isEqualTo(1);
        assertThat(run.get("error").get("type").asString()).isEqualTo("PD-104");
        assertThat(run.get("parkedAt").asString()).endsWith("Z");
        assertThat(run.get("waitingForWorker").asBoolean()).isFalse();
        assertThat(json("list").get("runs").get(0).has("parkedAt")).isFalse();
        assertThat(runs("list").out()).containsPattern("order@1 +parked .*PD-104");
    }

    @Test
    void whereNoneIsParkedThatIsSaid() {
        started(1);

        assertThat(runs("list", "--status", "parked").out())
                .isEqualTo("No run in " + store + " matches." + System.lineSeparator());
    }

    @Test
    void aPageOfParkedRunsEndsWithWhereTheNextBegins() {
        String first = parked();
        parked();
        String next =
                json("list", "--status", "parked", "--limit", "1").get("next").asString();

        assertThat(runs("list", "--status", "parked", "--limit", "1").out()).contains("go on with --after " + next);
        assertThat(runs("list", "--status", "parked", "--after", next).out()).contains(first);
    }

    @Test
    void aRunWhoseVersionNobodyServesWaitsForAWorker() {
        String first = waiting();
        String second = started(2);
        String any = started(0);

        assertThat(runs("list").out())
                .containsPattern(first + " +order@1 +running, no worker ")
                .containsPattern(second + " +order@2 +running, no worker ")
                .containsPattern(any + " +order +running, no worker ");
        assertThat(runs("get", any).out())
                .contains("waiting for a worker: nobody who is alive serves order; served: no version of it");
        assertThat(json("get", second).get("waitingForWorker").asBoolean()).isTrue();

        try (Perdure _ = Perdure.open(store).register(ORDER).start()) {
            assertThat(runs("list").out())
                    .containsPattern(first + " +order@1 +running +20")
                    .containsPattern(second + " +order@2 +running, no worker ");
            Invocation waiting = runs("list", "--waiting");
            assertThat(waiting.out()).contains(second).doesNotContain(first, any);
            assertThat(runs("get", second).out())
                    .contains("waiting for a worker: nobody who is alive serves order@2; served: order@1")
                    .contains("perdure workers list --store " + store);
            assertThat(runs("get", first).out()).doesNotContain("waiting for a worker");
            JsonNode listed = json("list", "--waiting", "--status", "running");
            assertThat(listed.get("runs")).hasSize(1);
            assertThat(listed.get("runs").get(0).get("waitingForWorker").asBoolean())
                    .isTrue();
            assertThat(json("get", first).get("waitingForWorker").asBoolean()).isFalse();
        }
    }

    @Test
    void waitingRunsAreCancelledByTheSameOption() {
        String first = waiting();
        String second = started(2);

        try (Perdure _ = Perdure.open(store).register(ORDER).start()) {
            assertThat(runs("cancel", "--waiting", "--yes").out()).startsWith("Cancelled 1 run.");
        }
        assertThat(json("get", first).get("status").asString()).isEqualTo("running");
        assertThat(json("get", second).get("status").asString()).isEqualTo("cancelled");
    }
}
