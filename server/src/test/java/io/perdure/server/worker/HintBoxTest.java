package io.perdure.server.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.wire.ClaimJson;
import io.perdure.sdk.worker.Assignment;
import io.perdure.sdk.worker.Held;
import io.perdure.sdk.worker.Mailbox;
import io.perdure.sdk.worker.Progress;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of runs whose answer did not arrive at the worker. */
class HintBoxTest {
    private final SystemEnvironment environment = new SystemEnvironment();
    private final HintBox box = new HintBox(new WaitingWorkers(environment), TenantId.DEFAULT);

    private Assignment assignment() {
        RunId run = environment.ids().runId();
        return new Assignment(
                new Held(run, environment.ids().token()),
                new WorkflowName("sample"),
                1,
                0,
                Instant.EPOCH,
                null,
                List.of(new Recorded(1, Instant.EPOCH, null, new Event.StepStarted(new StepName("one"), 1))),
                new Mailbox(0, List.of()));
    }

    @Test
    void received_afterAnAnswerWasLost_givesItsRunsBack() {
        Assignment lost = assignment();
        box.give(List.of(lost), false);

        assertThat(box.received(ClaimJson.NONE_RECEIVED))
                .extracting(Progress::held)
                .containsExactly(lost.held());
    }

    /** It may be the run that the worker has no memory for: its lapsed leases are to be counted. */
    @Test
    void received_afterAnAnswerWithALargeRunWasLost_leavesItToItsLease() {
        box.give(List.of(assignment()), true);

        assertThat(box.received(ClaimJson.NONE_RECEIVED)).isEmpty();
    }
}
