package io.perdure.testkit.invariant;

import static io.perdure.testkit.invariant.SampleEvents.done;
import static io.perdure.testkit.invariant.Scene.ACME;
import static io.perdure.testkit.invariant.Scene.FLOW;
import static io.perdure.testkit.invariant.Scene.OTHER_RUN;
import static io.perdure.testkit.invariant.Scene.RUN;
import static io.perdure.testkit.invariant.Scene.TOKEN;
import static io.perdure.testkit.invariant.Scene.startOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunCommit.StartOptions;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.json.Json;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An idempotency key names one run. */
class OneRunPerKeyTest {
    private static final StartOptions KEYED =
            new StartOptions(new IdempotencyKey("k"), null, Due.never(), Map.of(), 1, null);

    private final Invariant invariant = new OneRunPerKey();
    private final Scene scene = new Scene();

    @Test
    void duplicateThatAnswersWithTheFirstRunIsFine() {
        scene.start(RUN, KEYED)
                .commit(
                        startOf(OTHER_RUN, KEYED, Due.atOnce()),
                        new Outcome.Duplicate(RUN, RunStatus.RUNNING, Outcome.Key.IDEMPOTENCY_KEY))
                .note(new Fact.KeyRead(ACME, FLOW, new IdempotencyKey("k"), RUN));

        holds();
    }

    @Test
    void keyIsFreeAgainOnceItsRunWasSwept() {
        scene.start(RUN, KEYED).append(TOKEN, 1, done()).after(Duration.ofDays(2));
        scene.note(new Fact.Swept(Sweep.RETIRED_RUNS, 1)).start(OTHER_RUN, KEYED);

        holds();
    }

    @Test
    void secondRunIsStartedWithTheSameKey() {
        scene.start(RUN, KEYED).start(OTHER_RUN, KEYED);

        breaks("is now to");
    }

    @Test
    void keyIsForgotten() {
        scene.start(RUN, KEYED).note(new Fact.KeyRead(ACME, FLOW, new IdempotencyKey("k"), null));

        breaks("is now to");
    }

    @Test
    void otherInputIsAnsweredWithTheSameRun() {
        RunCommit.Start other = startOf(OTHER_RUN, KEYED, Due.atOnce());
        RunCommit.Definition definition =
                new RunCommit.Definition(FLOW, 1, other.definition().kind(), Json.number(2), Map.of());
        scene.start(RUN, KEYED)
                .commit(
                        new RunCommit.Start(ACME, OTHER_RUN, definition, Due.atOnce(), null, KEYED),
                        new Outcome.Duplicate(RUN, RunStatus.RUNNING, Outcome.Key.IDEMPOTENCY_KEY));

        breaks("with other input");
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
