package io.perdure.testkit.invariant;

import static io.perdure.testkit.invariant.SampleEvents.cancelled;
import static io.perdure.testkit.invariant.SampleEvents.completed;
import static io.perdure.testkit.invariant.Scene.TOKEN;
import static io.perdure.testkit.invariant.Scene.advance;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Extended;
import io.perdure.core.store.Outcome;
import io.perdure.sdk.history.RunStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A cancel stops what its worker does next. */
class NoStepAfterCancelTest {
    private final Invariant invariant = new NoStepAfterCancel();
    private final Scene scene = new Scene();

    @Test
    void busyWorkerThatDoesNotKnowYetIsFine() {
        scene.by("worker")
                .start()
                .claim(TOKEN)
                .by("operator")
                .intervene(1, cancelled())
                .by("worker")
                .step("a", 1, 1);

        holds();
    }

    @Test
    void anotherWorkersKnowledgeIsNotThisOnes() {
        scene.by("worker").start().claim(TOKEN).by("operator").intervene(1, cancelled());
        scene.by("other")
                .read(RunStatus.CANCELLED, scene.history(cancelled()))
                .by("worker")
                .step("a", 1, 1);

        holds();
    }

    @Test
    void stepBeginsAfterACommitToldOfTheCancel() {
        scene.start().claim(TOKEN);
        scene.commit(advance(TOKEN, 1, null, List.of(completed("a"))), new Outcome.LeaseLost(RunStatus.CANCELLED));
        scene.step("b", 1, 1);

        breaks("there to be seen");
    }

    @Test
    void stepBeginsAfterAnExtensionToldOfTheCancel() {
        scene.start()
                .claim(TOKEN)
                .extend(TOKEN, new Extended.Lost(RunStatus.CANCELLED))
                .step("a", 1, 1);

        breaks("there to be seen");
    }

    @Test
    void stepBeginsAfterAReadShowedTheCancel() {
        scene.start()
                .claim(TOKEN)
                .read(RunStatus.CANCELLED, scene.history(cancelled()))
                .step("a", 1, 1);

        breaks("there to be seen");
    }

    @Test
    void storeHidesAnAcknowledgedCancelFromTheNextClaim() {
        scene.by("worker")
                .start()
                .by("operator")
                .intervene(1, cancelled())
                .by("worker")
                .claim(TOKEN)
                .step("a", 1, 1);

        breaks("there to be seen");
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
