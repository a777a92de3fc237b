package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Next;
import io.perdure.sdk.workflow.StepFlow;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Failed and parked runs that are put back to work from the command line, one by one and many at once. */
class RunsRedriveTest extends RunsFixture {
    private static final StepFlow PREPARED = StepFlow.named("order")
            .maxAttempts(1)
            .step("start", ctx -> {
                ctx.put("total", 42);
                return Next.step("charge");
            });

    private static final StepFlow BROKEN = PREPARED.step("charge", _ -> {
        throw new IOException("the bank is closed");
    });

    private static final StepFlow MENDED =
            PREPARED.step("charge", ctx -> Next.done("paid " + ctx.get("total", Integer.class)));

    /** Runs that have failed, for these customers. */
    private List<String> failed(String... customers) {
        try (Perdure worker = Perdure.open(store).register(BROKEN).start()) {
            return List.of(customers).stream()
                    .map(customer -> worker.start(
                            BROKEN, customer, StartOptions.defaults().tag("customer", customer)))
                    .peek(run -> await(run, Event.RunFailed.class))
                    .map(run -> run.id().toString())
                    .toList();
        }
    }

    private String result(String id) {
        Invocation watched = runs("watch", id, "--timeout", "1m");
        assertThat(watched.err()).isEmpty();
        return json("get", id).get("result").asString();
    }

    @Test
    void aFailedRunGoesOnWhereItFailed() {
        String id = failed("ann").getFirst();
        assertThat(runs("get", id).out())
                .contains("Once that is mended:  perdure runs redrive --store " + store + " " + id);

        Invocation redriven = runs("redrive", id, "--reason", "the bank\nis back");
        assertSays(redriven, "Redriven run " + id + ": it is due now.");
        assertThat(redriven.out()).contains("Follow it:  perdure runs watch --store " + store + " " + id);
        assertFails(runs("redrive", id), 1, "PD-304 Run " + id + " is running; only a failed run can be redriven.");

        try (Perdure _ = Perdure.open(store).register(MENDED).start()) {
            assertThat(result(id)).isEqualTo("paid 42");
        }
        assertThat(runs("history", id).out())
                .containsOnlyOnce("start done")
                .containsSubsequence("run failed", "run redriven by user: the bank is back", "charge done");
    }

    @Test
    void aRedriveSpeaksJson() {
        String id = failed("ann").getFirst();

        JsonNode redriven = json("redrive", id);

        assertThat(redriven.get("id").asString()).isEqualTo(id);
        assertThat(redriven.get("status").asString()).isEqualTo("running");
    }

    @Test
    void manyAreRedrivenOnlyWithAYes() {
        List<String> failed = failed("ann", "bob", "ann");

        assertSays(runs("redrive", "--tag", "customer=ann"), "2 runs would be redriven. To do so, add --yes.");
        assertThat(json("redrive", "--all").get("redriven").asInt()).isZero();
        assertThat(runs("list", "--status", "failed").out()).contains(failed);

        Invocation done = runs("redrive", "--tag", "customer=ann", "--yes", "--reason", "back");
        assertThat(done.out()).startsWith("Redriven 2 runs.").contains("perdure runs list --store " + store);
        assertThat(done.err()).startsWith("2 runs to redrive ...").contains("2 of 2 ...");
        assertThat(runs("list", "--status", "failed").out())
                .contains(failed.get(1))
                .doesNotContain(failed.get(0), failed.get(2));
        assertThat(runs("history", failed.get(2)).out()).contains("run redriven by user: back");

        Invocation none = runs("redrive", "--tag", "customer=ann", "--yes");
        assertSays(none, "No run that is failed matches.");
        assertThat(none.out()).contains("See what there is:  perdure runs count --store " + store);
        JsonNode json = json("redrive", "--workflow", "order", "--status", "failed", "--yes");
        assertThat(json.get("matched").asInt()).isEqualTo(1);
        assertThat(json.get("redriven").asInt()).isEqualTo(1);
    }

    @Test
    void aRunWhoseWorkflowIdIsTakenIsLeftAlone() {
        String id;
        try (Perdure worker = Perdure.open(store).register(BROKEN).start()) {
            StartOptions about = StartOptions.defaults().workflowId("o-17");
            Run<Json> run = worker.start(BROKEN, null, about);
            await(run, Event.RunFailed.class);
            id = run.id().toString();
        }
        try (Perdure perdure = Perdure.open(store)) {
            perdure.start("order", Json.NULL, StartOptions.defaults().workflowId("o-17"));
        }

        assertFails(runs("redrive", id), 1, "PD-305 Run " + id + " cannot go on while run ");
        assertThat(runs("redrive", "--all", "--yes").out())
                .startsWith(
                        "Redriven 0 runs. 1 was not failed any more, is past its deadline, or another run has its workflow id.");
    }

    /** Parks runs by a flow that has lost the step they are to go on with. */
    private List<String> parked(int count) {
        List<String> failed = failed(new String[] {"ann", "bob", "eve"}).subList(0, count);
        runs("redrive", "--all", "--yes");
        try (Perdure worker = Perdure.open(store).register(PREPARED).start()) {
            failed.forEach(id -> await(worker.run(RunId.parse(id)), Event.RunParked.class));
        }
        return failed;
    }

    @Test
    void manyAreResumedOnlyWithAYes() {
        List<String> parked = parked(3);

        assertSays(runs("resume", "--workflow", "order"), "3 runs would be resumed. To do so, add --yes.");
        assertSays(runs("resume", "--tag", "customer=nobody"), "No run that is parked matches.");
        Invocation done = runs("resume", "--tag", "customer=bob", "--yes", "--reason", "step is back");
        assertThat(done.out()).startsWith("Resumed 1 run.");
        assertThat(done.err()).startsWith("1 run to resume ...");
        JsonNode rest = json("resume", "--all", "--yes");
        assertThat(rest.get("matched").asInt()).isEqualTo(2);
        assertThat(rest.get("resumed").asInt()).isEqualTo(2);

        try (Perdure _ = Perdure.open(store).register(MENDED).start()) {
            parked.forEach(id -> assertThat(result(id)).isEqualTo("paid 42"));
        }
        assertThat(runs("history", parked.get(1)).out()).contains("run resumed by user: step is back");
    }

    @Test
    void aRunThatIsNotThereIsACodedError() {
        assertFails(runs("redrive", "17"), 2, "PD-006 Run id \"17\" is not a UUID.");
        assertThat(Files.exists(file)).isFalse();
        assertFails(runs("redrive", NOBODY), 1, "PD-301 Tenant default has no run " + NOBODY);
        assertThat(runs("redrive", NOBODY).err()).contains("It was looked for in " + store);
    }
}
