package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.server.PerdureServer;
import io.perdure.server.ServerOptions;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The warning about a run of a workflow that no live worker serves. */
class UnservedWarningTest extends OrderFixture {
    private static final Workflow<String, String> BILL =
            Workflow.named("bill").version(3).run(String.class, String.class, (_, id) -> id);

    @Test
    void start_whenNoWorkerIsAlive_warnsAndStartsTheRunAllTheSame() {
        Invocation start = runs("start", "order", "\"o-1\"");

        assertThat(start.exitCode()).isZero();
        String id = json("list").get("runs").get(0).get("id").asString();
        assertThat(start.out()).startsWith("Started run " + id + " of order.");
        assertThat(start.err().lines())
                .containsExactly(
                        "Warning: No live worker serves order. Run " + id
                                + " waits until one does. No worker is alive.",
                        "Start a worker that has this code, or cancel the run:  perdure runs cancel --store " + store
                                + " " + id,
                        "To see the live workers:  perdure workers list --store " + store);
    }

    @Test
    void start_withAMistypedName_namesWhatIsServedAndTheNearestName() {
        try (Perdure _ = Perdure.open(store).register(ORDER).register(BILL).start()) {
            assertThat(runs("start", "oder", "\"o-1\"").err())
                    .startsWith("Warning: No live worker serves oder. ")
                    .contains("Served now: bill@3, order@1. Did you mean \"order\"?");
            assertThat(runs("start", "something_else").err())
                    .contains("Served now: bill@3, order@1." + System.lineSeparator())
                    .doesNotContain("Did you mean");
        }
    }

    @Test
    void start_withAVersionThatNobodyServes_namesTheVersionsThatAreServed() {
        try (Perdure _ = Perdure.open(store).register(ORDER).register(BILL).start()) {
            assertThat(runs("start", "order", "\"o-1\"", "--workflow-version", "2")
                            .err())
                    .startsWith("Warning: No live worker serves order@2. ")
                    .contains("Served now: order@1." + System.lineSeparator());
        }
    }

    @Test
    void start_ofAServedWorkflow_doesNotWarn() {
        try (Perdure _ = Perdure.open(store).register(ORDER).start()) {
            assertThat(runs("start", "order", "\"o-1\"").err()).isEmpty();
        }
    }

    @Test
    void start_inJson_keepsStandardOutputReadable() {
        Invocation start = runs("start", "order", "--format", "json");

        JsonNode shown = JsonMapper.shared().readTree(start.out());
        assertThat(shown.get("created").asBoolean()).isTrue();
        assertThat(start.err()).startsWith("Warning: No live worker serves order. ");
    }

    @Test
    void start_inJson_printsTheIdBeforeItWarns() {
        StringWriter both = new StringWriter();
        PrintWriter writer = new PrintWriter(both);
        Terminal terminal = Terminal.of(InputStream.nullInputStream(), writer, writer, Map.of());

        Commands.over(terminal).execute(inStore("start", "order", "--format", "json"));

        assertThat(both.toString()).startsWith("{").containsOnlyOnce("Warning: No live worker serves order. ");
    }

    @Test
    void watch_ofAnUnknownRunThroughAServer_printsTheErrorWithoutAWarning() {
        try (PerdureServer server = PerdureServer.start(ServerOptions.of(store).port(0))) {
            String url = server.url().toString();

            assertFails(Invocation.of("runs", "watch", NOBODY, "--server", url), 1, "PD-301 ");
        }
    }

    @Test
    void added_whenTheRunCannotBeRead_keepsTheErrorOfTheWait() {
        RefusedException over = new RefusedException(ErrorCode.NO_RESULT_YET, "The run is running after a wait.");
        Perdure closed = Perdure.open(store);
        Run<Json> run = closed.start("order", Json.NULL, StartOptions.defaults());
        closed.close();
        Terminal terminal = Terminal.of(
                InputStream.nullInputStream(),
                new PrintWriter(new StringWriter()),
                new PrintWriter(new StringWriter()),
                Map.of());

        assertThat(new WorkerWarning(terminal, new WhereOption(), closed).added(over, run))
                .isSameAs(over);
        assertThat(over.getSuppressed())
                .hasOnlyElementsOfType(StoreException.class)
                .hasSize(1);
    }

    @Test
    void start_withWait_repeatsTheWarningWhenTheWaitIsOver() {
        Invocation start = runs("start", "order", "--wait", "10ms");

        assertThat(start.exitCode()).isEqualTo(1);
        assertThat(start.err().lines()).first().asString().startsWith("Warning: No live worker serves order. ");
        assertThat(start.err().lines())
                .last()
                .asString()
                .startsWith("PD-312 ")
                .contains("No live worker serves order.");
    }

    @Test
    void watch_ofARunThatNobodyServes_warns() {
        String id = started(1);

        assertThat(runs("watch", id, "--timeout", "10ms").err().lines())
                .anyMatch(line -> line.startsWith("Warning: No live worker serves order@1. Run " + id))
                .last()
                .asString()
                .startsWith("PD-312 Run " + id
                        + " is running after it was followed for PT0.01S. No live worker serves order@1. ");
    }

    @Test
    void start_throughAServer_warns() {
        try (PerdureServer server = PerdureServer.start(ServerOptions.of(store).port(0))) {
            server.engine().register(ORDER).start();
            String url = server.url().toString();

            Invocation start = Invocation.of("runs", "start", "oder", "--server", url);

            assertThat(start.exitCode()).isZero();
            assertThat(start.err())
                    .startsWith("Warning: No live worker serves oder. ")
                    .contains("Served now: order@1. Did you mean \"order\"?")
                    .contains("perdure workers list --server " + url);
            assertThat(Invocation.of("runs", "start", "order", "\"o-1\"", "--server", url)
                            .err())
                    .isEmpty();
        }
    }
}
