package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.OpenOptions;
import io.perdure.core.Perdure;
import io.perdure.sdk.workflow.Next;
import io.perdure.sdk.workflow.StepFlow;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class WorkersListTest {
    private static final StepFlow FLOW = StepFlow.named("order").step("start", _ -> Next.done());

    @TempDir
    private Path folder = Path.of("");

    private String store() {
        return "jdbc:sqlite:" + folder.resolve("app.db");
    }

    private Invocation workers(String... more) {
        String[] args = new String[more.length + 4];
        System.arraycopy(new String[] {"workers", "list", "--store", store()}, 0, args, 0, 4);
        System.arraycopy(more, 0, args, 4, more.length);
        return Invocation.of(args);
    }

    @Test
    void thoseThatAreAliveAreListedWithWhatTheyServe() {
        try (Perdure _ = Perdure.open(store(), OpenOptions.defaults().concurrency(7))
                .register(FLOW)
                .register(FLOW.version(2))
                .register(StepFlow.named("bill").step("start", _ -> Next.done()))
                .start()) {
            assertThat(workers().out())
                    .containsPattern("WORKER +PROCESS +SINCE +AT ONCE +SERVES")
                    .containsPattern("[0-9a-f-]{36} +20\\S+Z +7 +bill@1, order@1, order@2\\R");

            JsonNode worker = JsonMapper.shared()
                    .readTree(workers("--format", "json").out())
                    .get(0);
            assertThat(worker.get("name").asString()).isNotEmpty();
            assertThat(worker.get("process").asString()).matches("[0-9a-f-]{36}");
            assertThat(worker.get("since").asString()).endsWith("Z");
            assertThat(worker.get("concurrency").asInt()).isEqualTo(7);
            assertThat(worker.get("serves").values())
                    .extracting(served -> served.get("workflow").asString()
                            + served.get("version").asInt())
                    .containsExactly("bill1", "order1", "order2");
        }
        assertThat(workers().out()).startsWith("Nobody works on " + store() + " now.");
    }

    @Test
    void whereNobodyWorksThatIsSaid() {
        assertThat(workers().out())
                .startsWith("Nobody works on " + store() + " now.")
                .contains("perdure runs list --store " + store() + " --waiting");
        assertThat(workers("--format", "json").out().strip()).matches("\\[ *]");
    }

    @Test
    void wrongUsageIsToldAndLeavesNoStoreBehind() {
        assertThat(workers("all").err()).startsWith("PD-901 Unknown command or argument \"all\".");
        assertThat(workers("--format", "xml").exitCode()).isEqualTo(2);
        assertThat(Files.exists(folder.resolve("app.db"))).isFalse();
    }

    @Test
    void theCommandsHaveHelpOfTheirOwn() {
        assertThat(Invocation.of("workers").out()).contains("Usage: perdure workers", "list ", "Examples:");
        assertThat(Invocation.of("workers", "list", "--help").out())
                .contains("Usage: perdure workers list", "--store", "--format");
    }
}
