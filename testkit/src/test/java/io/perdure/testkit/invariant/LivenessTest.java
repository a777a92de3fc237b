package io.perdure.testkit.invariant;

import static io.perdure.testkit.invariant.SampleEvents.boom;
import static io.perdure.testkit.invariant.SampleEvents.completed;
import static io.perdure.testkit.invariant.SampleEvents.created;
import static io.perdure.testkit.invariant.SampleEvents.done;
import static io.perdure.testkit.invariant.Scene.FLOW;
import static io.perdure.testkit.invariant.Scene.GO;
import static io.perdure.testkit.invariant.Scene.JOBS;
import static io.perdure.testkit.invariant.Scene.LEASE;
import static io.perdure.testkit.invariant.Scene.OTHER_RUN;
import static io.perdure.testkit.invariant.Scene.OTHER_TOKEN;
import static io.perdure.testkit.invariant.Scene.PLAIN;
import static io.perdure.testkit.invariant.Scene.RUN;
import static io.perdure.testkit.invariant.Scene.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Extended;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit.StartOptions;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.RunSnapshot;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.worker.Release;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What could move on has moved on. */
class LivenessTest {
    private final Invariant invariant = new Liveness();
    private final Scene scene = new Scene();

    @Test
    void runsThatWaitForWhatHasNotComeAreFine() {
        Event wait = new Event.WaitStarted(new StepName("w"), GO, null);
        scene.start();
        RunSnapshot waiting = scene.snapshot(RUN, RunStatus.RUNNING, scene.history(wait), List.of());
        scene.after(Duration.ofMinutes(5)).lastLook().read(waiting);

        holds();
    }

    @Test
    void parkedAndEndedRunsAreFine() {
        scene.start();
        RunSnapshot parked =
                scene.snapshot(RUN, RunStatus.PARKED, scene.history(new Event.RunParked("r", "d")), List.of());
        scene.after(Duration.ofMinutes(5)).lastLook().read(parked);

        holds();
    }

    @Test
    void eventLiesInTheMailboxOfARunThatWaitsForIt() {
        Event wait = new Event.WaitStarted(new StepName("w"), GO, null);
        scene.start().signal(1, 5).lastLook();
        scene.read(scene.snapshot(RUN, RunStatus.RUNNING, scene.history(wait), List.of(scene.mail(1, 5))));

        breaks("which lies in its mailbox");
    }

    @Test
    void eventLiesInTheMailboxOfAResumedRunThatWaitsForIt() {
        Event[] events = {
            new Event.WaitStarted(new StepName("w"), GO, null),
            new Event.RunParked("r", "d"),
            new Event.RunResumed("somebody", "go on", null),
        };
        scene.start().signal(1, 5).lastLook();
        scene.read(scene.snapshot(RUN, RunStatus.RUNNING, scene.history(events), List.of(scene.mail(1, 5))));

        breaks("which lies in its mailbox");
    }

    @Test
    void sleepIsOverAndNothingHappens() {
        Recorded sleep =
                new Recorded(1, scene.now(), scene.now().plusSeconds(5), new Event.SleepStarted(new StepName("s")));
        List<Recorded> history = List.of(scene.at(0, created()), sleep);
        scene.start().after(Duration.ofMinutes(5)).lastLook().read(RunStatus.RUNNING, history);

        breaks("was over at");
    }

    @Test
    void runIsDueToStartAndDoesNot() {
        List<Recorded> history = scene.history();
        scene.start().after(Duration.ofMinutes(5)).lastLook().read(RunStatus.RUNNING, history);

        breaks("was due to start");
    }

    @Test
    void runStopsInTheMiddle() {
        RunSnapshot stopped = scene.snapshot(RUN, RunStatus.RUNNING, scene.history(completed("a")), List.of());
        scene.start().after(Duration.ofMinutes(5)).lastLook().read(stopped);

        breaks("nothing came after");
    }

    @Test
    void parentIsNotToldOfItsChildsEnd() {
        Event child = new Event.ChildStarted(new StepName("c"), OTHER_RUN, FLOW);
        scene.start().start(OTHER_RUN, PLAIN).lastLook();
        scene.read(scene.snapshot(OTHER_RUN, RunStatus.COMPLETED, scene.history(done()), List.of()));
        scene.read(RunStatus.RUNNING, scene.history(child));

        breaks("it was not told");
    }

    @Test
    void parentThatFailedAndWasRedrivenIsNotToldOfItsChildsEnd() {
        Event[] events = {
            new Event.ChildStarted(new StepName("c"), OTHER_RUN, FLOW),
            new Event.RunFailed(boom()),
            new Event.RunRedriven("somebody", "again"),
        };
        scene.start().start(OTHER_RUN, PLAIN).lastLook();
        scene.read(scene.snapshot(OTHER_RUN, RunStatus.COMPLETED, scene.history(done()), List.of()));
        scene.read(RunStatus.RUNNING, scene.history(events));

        breaks("it was not told");
    }

    @Test
    void runIsClaimedSoonAfterItsLeaseEnded() {
        scene.start().claim(TOKEN).note(new Fact.FaultsStopped());
        scene.after(LEASE.plusSeconds(30)).claim(OTHER_TOKEN);

        holds();
    }

    @Test
    void runIsClaimedLongAfterItsLeaseEnded() {
        scene.start().claim(TOKEN).note(new Fact.FaultsStopped());
        scene.after(Duration.ofMinutes(30)).claim(OTHER_TOKEN);

        breaks("due at 2030-01-01T00:00:10Z at the latest");
    }

    @Test
    void runIsClaimedSoonAfterItsLeaseWasExtended() {
        scene.start().claim(TOKEN).note(new Fact.FaultsStopped()).after(Duration.ofMinutes(5));
        scene.extend(TOKEN, new Extended.Until(scene.now().plus(LEASE)))
                .after(LEASE)
                .claim(OTHER_TOKEN);

        holds();
    }

    @Test
    void runIsClaimedSoonAfterItsReleaseIsOver() {
        released(Release.until(Due.in(Duration.ofHours(1))));
        scene.after(Duration.ofHours(1)).claim(OTHER_TOKEN);

        holds();
    }

    @Test
    void runIsClaimedLongAfterItsReleaseIsOver() {
        released(Release.until(Due.in(Duration.ofHours(1))));
        scene.after(Duration.ofHours(2)).claim(OTHER_TOKEN);

        breaks("due at 2030-01-01T01:00:00Z at the latest");
    }

    @Test
    void runIsClaimedLongAfterAnEventWokeIt() {
        released(new Release(Due.never(), Set.of(GO), 0));
        scene.signal(1, 5).after(Duration.ofMinutes(30)).claim(OTHER_TOKEN);

        breaks("at the latest");
    }

    @Test
    void runThatWaitsForAnEventIsClaimedWheneverItComes() {
        released(new Release(Due.never(), Set.of(GO), 0));
        scene.after(Duration.ofMinutes(30)).signal(1, 5).claim(OTHER_TOKEN);

        holds();
    }

    private void released(Release release) {
        Event step = completed("a");
        scene.start()
                .claim(TOKEN)
                .commit(
                        Scene.advance(TOKEN, 1, release, List.of(step)),
                        new Outcome.Appended(List.of(scene.at(1, step)), RunStatus.RUNNING));
        scene.note(new Fact.FaultsStopped());
    }

    @Test
    void messageIsDeliveredSoonAfterItsDelay() {
        scene.queue(3, true).note(new Fact.FaultsStopped()).send(1, Duration.ofMinutes(10));
        scene.after(Duration.ofMinutes(10)).deliver(1, 1, TOKEN);

        holds();
    }

    @Test
    void messageIsDeliveredLongAfterItsLeaseEnded() {
        scene.queue(3, true).send(1).deliver(1, 1, TOKEN).note(new Fact.FaultsStopped());
        scene.after(Duration.ofMinutes(30)).deliver(1, 2, OTHER_TOKEN);

        breaks("due at 2030-01-01T00:00:10Z at the latest");
    }

    @Test
    void messageBehindTheHeadOfItsGroupWaitsForIt() {
        scene.queue(3, true)
                .note(new Fact.FaultsStopped())
                .send(1, Duration.ofMinutes(10))
                .send(2);
        scene.after(Duration.ofMinutes(10)).deliver(1, 1, TOKEN).done(1, TOKEN).deliver(2, 1, OTHER_TOKEN);

        holds();
    }

    @Test
    void runGoesOnAfterItsDeadline() {
        StartOptions options = new StartOptions(null, null, Due.in(Duration.ofSeconds(1)), Map.of(), 1, null);
        Instant deadline = scene.now().plusSeconds(1);
        scene.start(RUN, options);
        RunSnapshot found = scene.snapshot(RUN, RunStatus.RUNNING, scene.history(), List.of());
        scene.after(Duration.ofMinutes(5)).lastLook().read(due(found, deadline));

        breaks("after its deadline");
    }

    @Test
    void readyMessageIsNotReceived() {
        MessageRow row = scene.row(1, JOBS, 0, 0, null);
        scene.queue(3, true).send(1).after(Duration.ofMinutes(5)).lastLook().holds(JOBS, 1, row);

        breaks("nobody received it");
    }

    private static RunSnapshot due(RunSnapshot found, Instant deadline) {
        RunRow row = found.run();
        RunRow withDeadline = RowTimes.of(row, deadline, row.completedAt());
        return new RunSnapshot(withDeadline, found.history(), found.mailbox(), found.message());
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
