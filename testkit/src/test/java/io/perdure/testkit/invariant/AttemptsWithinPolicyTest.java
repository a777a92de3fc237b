package io.perdure.testkit.invariant;

import static io.perdure.testkit.invariant.SampleEvents.boom;
import static io.perdure.testkit.invariant.SampleEvents.failed;
import static io.perdure.testkit.invariant.Scene.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import org.junit.jupiter.api.Test;

/** Attempts are counted and bounded. */
class AttemptsWithinPolicyTest {
    private final Invariant invariant = new AttemptsWithinPolicy();
    private final Scene scene = new Scene();

    @Test
    void failuresUpToTheLimitAndAnewAfterARedriveAreFine() {
        Event[] events = {
            failed("a", 1),
            failed("a", 2),
            new Event.RunFailed(boom()),
            new Event.RunRedriven("s", "r"),
            failed("a", 1),
        };
        scene.start().step("a", 1, 2).step("a", 2, 2).read(RunStatus.RUNNING, scene.history(events));

        holds();
    }

    @Test
    void attemptBeyondThePolicyBegins() {
        scene.start().step("a", 3, 2);

        breaks("began attempt 3 of 2");
    }

    @Test
    void attemptBeyondThePolicyIsRecorded() {
        scene.start().step("a", 1, 1).read(RunStatus.RUNNING, scene.history(failed("a", 1), failed("a", 2)));

        breaks("where 2 of 1 is next");
    }

    @Test
    void attemptIsSkipped() {
        scene.start().step("a", 1, 5).read(RunStatus.RUNNING, scene.history(failed("a", 1), failed("a", 3)));

        breaks("where 2 of 5 is next");
    }

    @Test
    void failedAttemptBeginsAgain() {
        scene.start().step("a", 1, 3).read(RunStatus.RUNNING, scene.history());
        scene.append(TOKEN, 1, failed("a", 1)).step("a", 1, 3);

        breaks("began again after its failure");
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
