package io.perdure.testkit.invariant;

import static io.perdure.testkit.invariant.SampleEvents.completed;
import static io.perdure.testkit.invariant.Scene.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.history.RunStatus;
import org.junit.jupiter.api.Test;

/** A completed step is over. */
class CompletedStepNeverRerunsTest {
    private final Invariant invariant = new CompletedStepNeverReruns();
    private final Scene scene = new Scene();

    @Test
    void attemptThatWasNotAcknowledgedMayRunAgain() {
        scene.start()
                .step("a", 1, 1)
                .step("a", 1, 1)
                .append(TOKEN, 1, completed("a"))
                .step("b", 1, 1);

        holds();
    }

    @Test
    void bodyBeginsAfterItsCompletionWasAcknowledged() {
        scene.start().step("a", 1, 1).append(TOKEN, 1, completed("a")).step("a", 1, 1);

        breaks("its completion was acknowledged");
    }

    @Test
    void completionIsRecordedTwice() {
        scene.start().read(RunStatus.RUNNING, scene.history(completed("a"), completed("a")));

        breaks("completed as event 1, and again");
    }

    private void holds() {
        assertThat(scene.judgedBy(invariant)).isEmpty();
    }

    private void breaks(String how) {
        assertThat(scene.judgedBy(invariant))
                .allMatch(violation -> violation.number() == invariant.number())
                .anyMatch(violation -> violation.seen().contains(how));
    }
}
