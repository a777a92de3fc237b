package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.StartOptions;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Finding runs from the command line, and cancelling many of them. */
class RunsListTest extends RunsFixture {
    private final List<String> started = new ArrayList<>();

    /** Runs that nobody works on: three orders, of which the first was cancelled, and a bill. */
    private void fill() {
        try (Perdure perdure = Perdure.open(store)) {
            for (int number = 0; number < 3; number++) {
                Json input = Json.of("{\"user\":{\"id\":%d,\"name\":\"u%d\"}}".formatted(number, number));
                StartOptions options = StartOptions.defaults().tag("customer", number == 2 ? "ann" : "bob");
                started.add(perdure.start("order", input, options).id().toString());
            }
            started.add(perdure.start("bill", Json.NULL, StartOptions.defaults())
                    .id()
                    .toString());
            perdure.cancel(RunId.parse(started.getFirst()), "ordered twice");
        }
    }

    private List<String> listed(String... args) {
        List<String> all = new ArrayList<>(List.of("list"));
        all.addAll(List.of(args));
        return StreamSupport.stream(json(all.toArray(String[]::new)).get("runs").spliterator(), false)
                .map(run -> run.get("id").asString())
                .toList();
    }

    @Test
    void runsAreListedNewestFirst() {
        fill();

        assertThat(listed()).isEqualTo(started.reversed());
        assertThat(runs("list").out())
                .containsSubsequence(started.get(3), started.get(2), started.get(1), started.get(0))
                .containsPattern("order +cancelled .*ordered twice")
                .containsPattern("bill +running, no worker +20");
    }

    @Test
    void filtersAreOfTheRightTypes() {
        fill();

        assertThat(listed("--workflow", "bill")).containsExactly(started.get(3));
        assertThat(listed("--status", "cancelled")).containsExactly(started.getFirst());
        assertThat(listed("--status", "RUNNING", "--workflow", "order"))
                .containsExactly(started.get(2), started.get(1));
        assertThat(listed("--tag", "customer=ann")).containsExactly(started.get(2));
        assertThat(listed("--input", "user.id=1")).containsExactly(started.get(1));
        assertThat(listed("--input", "user.id=1.0", "--input", "user.name=u1")).containsExactly(started.get(1));
        assertThat(listed("--input", "user.id=\"1\"")).isEmpty();
        assertThat(listed("--since", "2026-01-01")).hasSize(4);
        assertThat(listed("--since", "2999-01-01T00:00:00+02:00")).isEmpty();
        assertThat(listed("--until", "2026-01-01")).isEmpty();
    }

    @Test
    void aPageEndsWithWhereTheNextOneBegins() {
        fill();
        JsonNode first = json("list", "--limit", "3");
        String next = first.get("next").asString();

        assertThat(first.get("runs")).hasSize(3);
        assertThat(listed("--limit", "3", "--after", next)).containsExactly(started.getFirst());
        assertThat(runs("list", "--limit", "3").out()).contains("go on with --after " + next);
        assertThat(json("list", "--limit", "4").has("next")).isFalse();
        assertThat(runs("list", "--workflow", "unheard_of").out()).startsWith("No run in ");
    }

    @Test
    void runsAreCounted() {
        fill();

        assertThat(runs("count").out())
                .containsPattern("WORKFLOW +RUNNING +PARKED +COMPLETED +FAILED +CANCELLED")
                .containsPattern("order +2 +0 +0 +0 +1");
        assertThat(json("count").get(0).get("workflow").asString()).isEqualTo("bill");
        assertThat(json("count").get(1).get("running").asInt()).isEqualTo(2);
    }

    @Test
    void manyAreCancelledOnlyWithAYes() {
        fill();

        assertThat(runs("cancel", "--workflow", "order").out())
                .startsWith("2 runs would be cancelled. To do so, add --yes.");
        assertThat(listed("--status", "cancelled")).hasSize(1);

        Invocation done = runs("cancel", "--workflow", "order", "--yes", "--reason", "shop closed");
        assertThat(done.out()).startsWith("Cancelled 2 runs.");
        assertThat(done.err()).startsWith("2 runs to cancel ...").contains("2 of 2 ...");
        assertThat(listed("--status", "running")).containsExactly(started.get(3));
        assertThat(runs("get", started.get(1)).out()).contains("shop closed");
        assertThat(runs("cancel", "--workflow", "order").out()).startsWith("No run that is running or parked matches.");

        JsonNode json = json("cancel", "--all", "--yes");
        assertThat(json.get("matched").asInt()).isEqualTo(1);
        assertThat(json.get("cancelled").asInt()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "list --status asleep",
                "list --since yesterday",
                "list --since 2026-13-01",
                "list --tag customer",
                "list --input user..id=1",
                "list --input user={broken",
                "list --tag a=1 --tag a=2",
                "list --after nowhere",
                "cancel --status completed --yes",
                "cancel --all --workflow order",
                "list --limit 0",
                "list --limit 10001",
                "list --workflow Order",
                "list --waiting --status parked",
                "resume --waiting",
                "resume --status failed --yes",
                "resume --all --workflow order",
                "resume --workflow order --workflow-version 2",
                "resume " + NOBODY + " --tag a=1",
                "resume --tag a",
                "redrive",
                "redrive " + NOBODY + " --all",
                "redrive --all --workflow order",
                "redrive --status parked",
                "redrive --since soon",
                "redrive --input a={ --yes",
                "redrive " + NOBODY + " --workflow-version 2",
                "cancel",
                "cancel " + NOBODY + " --workflow order",
                "cancel --workflow Order"
            })
    void wrongUsageIsToldAndLeavesNoStoreBehind(String line) {
        Invocation invocation = runs(line.split(" "));

        assertThat(invocation.err()).matches("(?s)PD-\\d{3} .*").hasLineCount(1);
        assertThat(invocation.exitCode()).isEqualTo(2);
        assertThat(Files.exists(file)).isFalse();
    }

    @Test
    void aPlaceOfAnotherListAndAStatusThatCannotBeCancelledAreRefused() {
        fill();
        String place = json("list", "--limit", "1").get("next").asString();

        assertFails(
                runs("list", "--status", "failed", "--after", place),
                2,
                "PD-006 \"" + place + "\" is no place in a list of runs by when they ended.");
        assertFails(
                runs("cancel", "--status", "completed", "--yes"),
                2,
                "PD-007 Runs that are completed cannot be cancelled");
    }
}
