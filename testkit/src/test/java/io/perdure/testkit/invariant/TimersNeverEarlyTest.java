package io.perdure.testkit.invariant;

import static io.perdure.testkit.invariant.SampleEvents.cancelled;
import static io.perdure.testkit.invariant.SampleEvents.completed;
import static io.perdure.testkit.invariant.SampleEvents.created;
import static io.perdure.testkit.invariant.SampleEvents.failed;
import static io.perdure.testkit.invariant.Scene.ACME;
import static io.perdure.testkit.invariant.Scene.GO;
import static io.perdure.testkit.invariant.Scene.LEASE;
import static io.perdure.testkit.invariant.Scene.RUN;
import static io.perdure.testkit.invariant.Scene.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Timers fire when their time has come, once. */
class TimersNeverEarlyTest {
    private final Invariant invariant = new TimersNeverEarly();
    private final Scene scene = new Scene();

    @Test
    void eventAfterTheSleepIsOverIsFine() {
        List<Recorded> history = new ArrayList<>(List.of(scene.at(0, created()), sleeping()));
        scene.start().after(LEASE);
        history.add(scene.at(2, completed("a")));
        scene.read(RunStatus.RUNNING, history);

        holds();
    }

    @Test
    void clockThatGoesBackAfterTheTimerFiredIsFine() {
        List<Recorded> history = new ArrayList<>(List.of(scene.at(0, created()), sleeping()));
        scene.start().after(LEASE).claim(TOKEN).after(Duration.ofSeconds(-5));
        history.add(scene.at(2, completed("a")));
        scene.read(RunStatus.RUNNING, history);

        holds();
    }

    @Test
    void cancelDuringASleepIsFine() {
        List<Recorded> history = new ArrayList<>(List.of(scene.at(0, created()), sleeping()));
        history.add(scene.at(2, cancelled()));
        scene.start().read(RunStatus.CANCELLED, history);

        holds();
    }

    @Test
    void storeFixesATimeTooEarly() {
        RunCommit commit = new RunCommit.Advance(
                ACME,
                RUN,
                TOKEN,
                1,
                List.of(new Draft(sleeping().event(), Due.in(LEASE.multipliedBy(2)))),
                List.of(),
                null);
        scene.start().commit(commit, new Outcome.Appended(List.of(sleeping()), RunStatus.RUNNING));

        breaks("was fixed at");
    }

    @Test
    void stepFollowsASleepThatIsNotOver() {
        List<Recorded> history = new ArrayList<>(List.of(scene.at(0, created()), sleeping()));
        history.add(scene.at(2, completed("a")));
        scene.start().read(RunStatus.RUNNING, history);

        breaks("lasts until");
    }

    @Test
    void waitTimesOutTooEarly() {
        Event wait = new Event.WaitStarted(new StepName("w"), GO, null);
        List<Recorded> history = List.of(
                scene.at(0, created()),
                new Recorded(1, scene.now(), scene.now().plus(LEASE), wait),
                scene.at(2, new Event.WaitTimedOut(new StepName("w"))));
        scene.start().read(RunStatus.RUNNING, history);

        breaks("lasts until");
    }

    @Test
    void retryIsRecordedTooEarly() {
        List<Recorded> history = List.of(
                scene.at(0, created()),
                new Recorded(1, scene.now(), scene.now().plus(LEASE), failed("a", 1)),
                scene.at(2, completed("a", 2)));
        scene.start().read(RunStatus.RUNNING, history);

        breaks("lasts until");
    }

    @Test
    void retryBeginsTooEarly() {
        List<Recorded> history = List.of(
                scene.at(0, created()), new Recorded(1, scene.now(), scene.now().plus(LEASE), failed("a", 1)));
        scene.start().read(RunStatus.RUNNING, history).step("a", 2, 3);

        breaks("began, and was due at");
    }

    @Test
    void sleepIsRecordedTwice() {
        Event sleep = sleeping().event();
        scene.start().read(RunStatus.RUNNING, scene.history(sleep, completed("a"), sleep));

        breaks("recorded a second time");
    }

    @Test
    void waitEndsTwice() {
        Event timedOut = new Event.WaitTimedOut(new StepName("w"));
        Event received = new Event.EventReceived(new StepName("w"), GO, 1, Json.number(1));
        scene.start().read(RunStatus.RUNNING, scene.history(received, timedOut));

        breaks("recorded a second time");
    }

    private Recorded sleeping() {
        return new Recorded(1, scene.now(), scene.now().plus(LEASE), new Event.SleepStarted(new StepName("s")));
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
