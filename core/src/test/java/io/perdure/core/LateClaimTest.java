package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.workflow.WorkerDesk;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.worker.Assignment;
import io.perdure.sdk.worker.Claim;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A store that stood still meets a claim later than it was meant. Holders could not reach it either, so their leases are left alone. */
class LateClaimTest extends PerdureFixture {
    private static final Workflow<Integer, Integer> ECHO =
            Workflow.named("echo").run(Integer.class, Integer.class, (_, input) -> input);

    private static final Claim RECLAIM =
            new Claim(List.of(new Claim.Served(new WorkflowName("echo"), Set.of(1))), 10, true);

    /** A little less than what counts as prompt, and a little more. */
    private static final Duration PROMPT = Duration.ofMillis(1_900);

    private static final Duration LATE = Duration.ofMillis(2_100);

    private final WorkerDesk desk = perdure.desk();

    private List<RunId> claimed() {
        return desk.claim(RECLAIM, _ -> true).runs().stream()
                .map(assignment -> assignment.held().run())
                .toList();
    }

    /** A run whose holder's lease has run out. */
    private RunId lapsed() {
        RunId run = perdure.start(ECHO, 1).id();
        assertThat(claimed()).containsExactly(run);
        time.pass(LONG);
        return run;
    }

    @Test
    void claim_thatTheStoreMeetsLate_leavesLapsedRunsToTheirHolders() {
        RunId lapsed = lapsed();
        bent.before("claim", () -> time.pass(LATE));
        assertThat(claimed()).isEmpty();
        bent.before("claim", () -> {});
        assertThat(claimed()).containsExactly(lapsed);
    }

    @Test
    void claim_thatTheStoreMeetsInTime_takesLapsedRuns() {
        RunId lapsed = lapsed();
        bent.before("claim", () -> time.pass(PROMPT));
        assertThat(claimed()).containsExactly(lapsed);
    }

    @Test
    void claim_thatTheStoreMeetsLate_takesFreshRuns() {
        lapsed();
        RunId fresh = perdure.start(ECHO, 2).id();
        bent.before("claim", () -> time.pass(LATE));
        assertThat(claimed()).containsExactly(fresh);
    }

    /** The clock of the store is asked for before the claim. A store that stands still then, too, makes no claim prompt. */
    @Test
    void claim_whenTheStoreAlsoTellsItsTimeLate_leavesLapsedRunsToTheirHolders() {
        lapsed();
        bent.before("now", () -> time.pass(LATE));
        bent.before("claim", () -> time.pass(LATE));
        assertThat(claimed()).isEmpty();
    }

    @Test
    void claim_givenBackUnread_keepsTheCountOfLapsedLeases() {
        RunId lapsed = lapsed();
        assertThat(desk.claim(RECLAIM, _ -> false).runs()).isEmpty();
        assertThat(desk.claim(RECLAIM, _ -> true).runs())
                .singleElement()
                .satisfies(again -> assertThat(again.held().run()).isEqualTo(lapsed))
                .extracting(Assignment::lapses)
                .isEqualTo(1);
    }
}
