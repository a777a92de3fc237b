package io.perdure.testkit.workflow;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.retry.Backoff;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.StepFlow;
import java.time.Duration;
import java.util.List;

/** What the suites of StepFlows share. */
abstract class FlowFixture extends WorkflowFixture {
    FlowFixture(Opening opening) {
        super(opening);
    }

    static StepFlow flow() {
        return StepFlow.named("flow").backoff(Backoff.fixed(Duration.ofMillis(1)));
    }

    Run<Json> started(StepFlow flow) {
        perdure.register(flow).start();
        return perdure.start(flow, "input");
    }

    static List<String> told(Run<?> run) {
        return run.history().stream().map(Recorded::event).map(Event::title).toList();
    }
}
