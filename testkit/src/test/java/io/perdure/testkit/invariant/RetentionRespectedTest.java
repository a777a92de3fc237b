package io.perdure.testkit.invariant;

import static io.perdure.testkit.invariant.SampleEvents.boom;
import static io.perdure.testkit.invariant.SampleEvents.done;
import static io.perdure.testkit.invariant.Scene.ACME;
import static io.perdure.testkit.invariant.Scene.RUN;
import static io.perdure.testkit.invariant.Scene.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Sweep;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Nothing goes before its time, and what is gone stays gone. */
class RetentionRespectedTest {
    private final Invariant invariant = new RetentionRespected();
    private final Scene scene = new Scene();

    @Test
    void runSweptAfterItsDaysIsFine() {
        scene.start().append(TOKEN, 1, done()).after(Duration.ofDays(2));
        scene.note(new Fact.Swept(Sweep.RETIRED_RUNS, 1)).note(new Fact.RunAbsent(ACME, RUN));

        holds();
    }

    @Test
    void runThatNobodyStartedIsFine() {
        scene.note(new Fact.RunAbsent(ACME, RUN));

        holds();
    }

    @Test
    void liveRunIsSwept() {
        scene.start().after(Duration.ofDays(2));
        scene.note(new Fact.Swept(Sweep.RETIRED_RUNS, 1)).note(new Fact.RunAbsent(ACME, RUN));

        breaks("no sweep after the end");
    }

    @Test
    void runIsSweptTooEarly() {
        scene.start().append(TOKEN, 1, done()).after(Duration.ofHours(23));
        scene.note(new Fact.Swept(Sweep.RETIRED_RUNS, 1)).note(new Fact.RunAbsent(ACME, RUN));

        breaks("no sweep after the end");
    }

    @Test
    void redrivenRunIsSwept() {
        scene.start()
                .append(TOKEN, 1, new Event.RunFailed(boom()))
                .intervene(2, new Event.RunRedriven("somebody", "again"))
                .after(Duration.ofDays(2));
        scene.note(new Fact.Swept(Sweep.RETIRED_RUNS, 1)).note(new Fact.RunAbsent(ACME, RUN));

        breaks("no sweep after the end");
    }

    @Test
    void runIsGoneWithoutASweep() {
        scene.start().append(TOKEN, 1, done()).after(Duration.ofDays(2)).note(new Fact.RunAbsent(ACME, RUN));

        breaks("no sweep after the end");
    }

    @Test
    void sweptRunIsThereAgain() {
        scene.start().append(TOKEN, 1, done()).after(Duration.ofDays(2));
        scene.note(new Fact.Swept(Sweep.RETIRED_RUNS, 1)).note(new Fact.RunAbsent(ACME, RUN));
        scene.read(RunStatus.COMPLETED, scene.history(done()));

        breaks("is there again");
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
