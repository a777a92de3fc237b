package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.retry.Backoff;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Next;
import io.perdure.sdk.workflow.StepFlow;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** StepFlows on the command line: how they are started, and what is shown of them. */
class RunsStepFlowTest extends RunsFixture {
    private static final StepFlow FLOW = StepFlow.named("flow")
            .backoff(Backoff.fixed(Duration.ofSeconds(7)))
            .step("start", ctx -> {
                ctx.put("sum", ctx.find("total", Integer.class).orElse(0) + 1);
                ctx.put("by", ctx.find("by", Json.class).orElse(Json.NULL));
                return Next.step("charge");
            })
            .step("charge", ctx -> Next.done(ctx.get("sum", Integer.class)));

    private static String id(Invocation started) {
        return started.out().replaceFirst("(?s)Started run (\\S+) of.*", "$1");
    }

    @Test
    void whatIsWrittenAtTheStartIsFoundByTheFirstStep() {
        String id = id(runs("start", "flow", "--write", "total=41", "--write", "by={\"name\": \"a=b\"}"));

        try (Perdure _ = Perdure.open(store).register(FLOW).start()) {
            assertThat(runs("watch", id, "--timeout", "1m").err()).isEmpty();
        }
        assertThat(json("get", id).get("result").asInt()).isEqualTo(42);
        assertThat(runs("history", id).out())
                .contains("run of flow started with null; wrote by, total")
                .containsPattern("start started, attempt 1, to be over by 20\\S+Z; else tried again after 7 s")
                .contains("start done; wrote by, sum; next is charge")
                .containsPattern("charge done(?!.*next)");
        JsonNode completed = json("history", id).get(2).get("event");
        assertThat(completed.get("writes").get("by").get("name").asString()).isEqualTo("a=b");
    }

    @Test
    void aRunIsStartedWithTheVersionThatIsNamed() {
        String second = id(runs("start", "flow", "--workflow-version", "2"));

        assertThat(json("get", second).get("version").asInt()).isEqualTo(2);
        assertThat(runs("list").out()).containsPattern(second + " +flow@2 ");
        assertThat(json("get", id(runs("start", "flow"))).has("version")).isFalse();
    }

    @Test
    void aStepThatIsUnderWayIsShownAsSuch() {
        CountDownLatch released = new CountDownLatch(1);
        StepFlow slow = StepFlow.named("flow").step("start", _ -> {
            released.await();
            return Next.done();
        });
        try (Perdure worker = Perdure.open(store).register(slow).start()) {
            Run<Json> run = worker.start(slow, null);
            await(run, Event.StepStarted.class);

            assertThat(runs("get", run.id().toString()).out())
                    .containsPattern("start +1 +[0-9.]+ s +under way since 20\\S+Z\\R");
            released.countDown();
            run.result(A_MINUTE);
            assertThat(runs("get", run.id().toString()).out())
                    .containsPattern("start +1 .* s +null\\R")
                    .doesNotContain("under way");
        }
    }

    @Test
    void badValuesAreCodedAndLeaveNoStoreBehind() {
        assertFails(runs("start", "flow", "--workflow-version", "0"), 2, "PD-007 Version 0 is below 1.");
        assertFails(runs("start", "flow", "--workflow-version", "new"), 2, "PD-901 ");
        assertFails(runs("start", "flow", "--write", "total"), 2, "PD-901 ");
        assertFails(runs("start", "flow", "--write", "=1"), 2, "PD-002 ");
        assertFails(runs("start", "flow", "--write", "by=ann"), 2, "PD-004 Entry \"by\" of --write: ");
        assertFails(runs("start", "flow", "--write", "by="), 2, "PD-004 Entry \"by\" of --write: ");
        assertFails(runs("start", "flow", "--write", "by=-"), 2, "PD-004 Entry \"by\" of --write: ");
        assertThat(Files.exists(file)).isFalse();
    }
}
