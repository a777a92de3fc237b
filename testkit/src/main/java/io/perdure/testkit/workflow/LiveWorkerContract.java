package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.OpenOptions;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.worker.Claim;
import io.perdure.sdk.workflow.Next;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.Workflow;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What workers that are alive serve, and which version a run has because of it. */
abstract class LiveWorkerContract extends WorkflowFixture {
    private static final WorkflowName SAMPLE = new WorkflowName("sample");
    private static final RunFilter WAITING = RunFilter.all().waitingForWorker();

    LiveWorkerContract(Opening opening) {
        super(opening);
    }

    private static Workflow<String, String> version(int version) {
        return Workflow.named("sample")
                .version(version)
                .run(String.class, String.class, (_, input) -> input + " by " + version);
    }

    @Test
    final void aWorkerIsKnownWhileItWorks() {
        assertThat(perdure.operations().workers()).isEmpty();
        perdure.register(version(1)).register(version(3)).start();

        try (Engine other = another()) {
            assertThat(other.operations().workers()).singleElement().satisfies(worker -> {
                assertThat(worker.served()).containsExactly(new Claim.Served(SAMPLE, Set.of(1, 3)));
                assertThat(worker.name())
                        .contains(String.valueOf(ProcessHandle.current().pid()));
                assertThat(worker.concurrency()).isEqualTo(1_000);
            });
            perdure.close();
            assertThat(other.operations().workers()).isEmpty();
        }
    }

    @Test
    final void aStartByNameTakesTheNewestVersionThatAWorkerServes() {
        perdure.register(version(1)).register(version(3)).start();
        try (Engine other = another()) {
            Run<Json> run = other.start("sample", Json.string("a"), StartOptions.defaults());

            assertThat(run.info().version()).isEqualTo(3);
            assertThat(run.as(String.class).result(PATIENCE)).isEqualTo("a by 3");
        }
    }

    @Test
    final void aStartByNameTakesTheVersionItIsTold() {
        perdure.register(version(1)).register(version(3)).start();
        StartOptions first = StartOptions.defaults().version(1);

        assertThat(perdure.start("sample", Json.string("a"), first)
                        .as(String.class)
                        .result(PATIENCE))
                .isEqualTo("a by 1");
        assertFails(ErrorCode.VERSION_MISMATCH, () -> perdure.start(version(3), "a", first), "sample@3", "version 1");
    }

    @Test
    final void aFlowStartedByNameKnowsItsKindAndItsWrites() {
        StepFlow flow = StepFlow.named("flow").step("start", ctx -> Next.done(ctx.get("n", Integer.class)));
        perdure.register(flow).start();
        StartOptions writes = StartOptions.defaults().write("n", 7);

        assertThat(perdure.start("flow", Json.NULL, writes).as(Integer.class).result(PATIENCE))
                .isEqualTo(7);
        try (Engine other = another()) {
            assertThat(other.start("flow", Json.NULL, writes).as(Integer.class).result(PATIENCE))
                    .isEqualTo(7);
        }
        assertFails(ErrorCode.OUT_OF_BOUNDS, () -> perdure.start(version(1), "a", writes), "no scratchpad");
    }

    @Test
    final void runsOfAVersionThatNobodyServesAreSeenToWait() {
        Run<String> one = perdure.start(version(1), "a");
        Run<Json> any = perdure.start("sample", Json.string("b"), StartOptions.defaults());
        assertThat(perdure.runs(WAITING, 10).runs()).hasSize(2);
        assertThat(perdure.count(WAITING)).isEqualTo(2);
        perdure.register(version(2)).start();
        any.result(PATIENCE);

        assertThat(perdure.runs(WAITING, 10).runs())
                .singleElement()
                .satisfies(row -> assertThat(row.id()).isEqualTo(one.id()));
        reopen(OpenOptions.defaults());
        perdure.register(version(1)).register(version(2)).start();
        assertThat(perdure.run(one.id()).as(String.class).result(PATIENCE)).isEqualTo("a by 1");
        assertThat(perdure.count(WAITING)).isZero();
    }

    @Test
    final void aVersionThatNobodyServesHoldsUpNoOther() {
        for (int i = 0; i < 20; i++) {
            perdure.start(version(1), "unserved");
        }
        perdure.register(version(2)).start();

        assertThat(perdure.start(version(2), "a").result(PATIENCE)).isEqualTo("a by 2");
        assertThat(perdure.count(WAITING)).isEqualTo(20);
    }
}
