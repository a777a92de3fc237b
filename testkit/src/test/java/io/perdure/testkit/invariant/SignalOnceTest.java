package io.perdure.testkit.invariant;

import static io.perdure.testkit.invariant.Scene.ACME;
import static io.perdure.testkit.invariant.Scene.GO;
import static io.perdure.testkit.invariant.Scene.RUN;
import static io.perdure.testkit.invariant.Scene.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A signal is taken once, in order, and kept until then. */
class SignalOnceTest {
    private final Invariant invariant = new SignalOnce();
    private final Scene scene = new Scene();

    @Test
    void signalKeptAndThenTakenInOrderIsFine() {
        scene.start().signal(1, 5).signal(2, 6);
        scene.read(
                scene.snapshot(RUN, RunStatus.RUNNING, scene.history(), List.of(scene.mail(1, 5), scene.mail(2, 6))));
        scene.read(RunStatus.RUNNING, scene.history(taken(1, 5), taken(2, 6)));

        holds();
    }

    @Test
    void acknowledgedSignalIsNowhere() {
        scene.start().signal(1, 5).read(RunStatus.RUNNING, scene.history());

        breaks("is in 0 places");
    }

    @Test
    void signalIsInTheMailboxAfterItWasTaken() {
        scene.start().signal(1, 5);
        scene.read(scene.snapshot(RUN, RunStatus.RUNNING, scene.history(taken(1, 5)), List.of(scene.mail(1, 5))));

        breaks("is in 2 places");
    }

    @Test
    void signalIsTakenTwice() {
        scene.start().signal(1, 5).read(RunStatus.RUNNING, scene.history(taken(1, 5), taken(1, 5)));

        breaks("was taken twice");
    }

    @Test
    void signalsAreTakenOutOfOrder() {
        scene.start().signal(1, 5).signal(2, 6).read(RunStatus.RUNNING, scene.history(taken(2, 6), taken(1, 5)));

        breaks("was taken after signal");
    }

    @Test
    void signalIsTakenWithAnotherPayload() {
        scene.start().signal(1, 5).read(RunStatus.RUNNING, scene.history(taken(1, 7)));

        breaks("was sent, and EventReceived");
    }

    @Test
    void signalBecomesTwo() {
        scene.start().signal(1, 5);
        scene.read(
                scene.snapshot(RUN, RunStatus.RUNNING, scene.history(), List.of(scene.mail(1, 5), scene.mail(2, 5))));

        breaks("too, and was sent 1 times");
    }

    @Test
    void deduplicationIdGetsTwoNumbers() {
        RunCommit signal = new RunCommit.Signal(ACME, RUN, GO, Json.number(5), new DeduplicationId("d"));
        scene.start().commit(signal, new Outcome.Signalled(1, true)).commit(signal, new Outcome.Signalled(2, true));

        breaks("is signal 1, and then 2");
    }

    @Test
    void waitTimesOutOnASignalThatItsWorkerSaw() {
        Event wait = new Event.WaitStarted(new StepName("w"), GO, null);
        scene.start().signal(1, 5);
        scene.read(scene.snapshot(RUN, RunStatus.RUNNING, scene.history(wait), List.of(scene.mail(1, 5))));
        scene.append(TOKEN, 2, new Event.WaitTimedOut(new StepName("w")));

        breaks("timed out with its event in the mailbox");
    }

    private static Event taken(long signal, int payload) {
        return new Event.EventReceived(new StepName("w" + signal), GO, signal, Json.number(payload));
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
