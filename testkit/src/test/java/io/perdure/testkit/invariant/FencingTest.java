package io.perdure.testkit.invariant;

import static io.perdure.testkit.invariant.SampleEvents.completed;
import static io.perdure.testkit.invariant.Scene.ACME;
import static io.perdure.testkit.invariant.Scene.LEASE;
import static io.perdure.testkit.invariant.Scene.OTHER_TOKEN;
import static io.perdure.testkit.invariant.Scene.TOKEN;
import static io.perdure.testkit.invariant.Scene.advance;
import static io.perdure.testkit.invariant.Scene.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.Receipt;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whoever lost the lease changes nothing. */
class FencingTest {
    private final Invariant invariant = new Fencing();
    private final Scene scene = new Scene();

    @Test
    void holderOfTheLeaseMayCommitAndExtend() {
        scene.start()
                .claim(TOKEN)
                .append(TOKEN, 1, completed("a"))
                .claim(OTHER_TOKEN)
                .append(OTHER_TOKEN, 2, completed("b"))
                .extend(OTHER_TOKEN, new Extended.Until(scene.now().plus(LEASE)));

        holds();
    }

    @Test
    void commitSentBeforeTheReclaimMayBeAnsweredAfterIt() {
        RunCommit commit = advance(TOKEN, 1, null, List.of(completed("a")));
        scene.start().claim(TOKEN);
        CommitRef ref = scene.ask(commit);
        scene.claim(OTHER_TOKEN)
                .note(new Fact.Answered(
                        ref, commit, new Outcome.Appended(List.of(scene.at(1, completed("a"))), RunStatus.RUNNING)));

        holds();
    }

    @Test
    void zombieCommits() {
        scene.start().claim(TOKEN).claim(OTHER_TOKEN).append(TOKEN, 1, completed("a"));

        breaks("a token that lost its lease at");
    }

    @Test
    void zombieCommitsAfterAnIntervention() {
        scene.start()
                .claim(TOKEN)
                .intervene(1, new Event.RunResumed("somebody", "go on", null))
                .append(TOKEN, 2, completed("a"));

        breaks("a token that lost its lease at");
    }

    @Test
    void zombieExtends() {
        scene.start()
                .claim(TOKEN)
                .claim(OTHER_TOKEN)
                .extend(TOKEN, new Extended.Until(scene.now().plus(LEASE)));

        breaks("a lease that was lost");
    }

    @Test
    void commitThatWasLongUnderWayAppliesAfterTheNextHolderRead() {
        RunCommit commit = advance(TOKEN, 1, null, List.of(completed("a")));
        scene.start().claim(TOKEN);
        CommitRef ref = scene.ask(commit);
        scene.claim(OTHER_TOKEN).read(RunStatus.RUNNING, scene.history());
        scene.note(new Fact.Answered(
                ref, commit, new Outcome.Appended(List.of(scene.at(1, completed("a"))), RunStatus.RUNNING)));

        breaks("lost its lease by event 1");
    }

    @Test
    void messageIsSettledWithALostReceipt() {
        scene.queue(3, true)
                .send(1)
                .deliver(1, 1, TOKEN)
                .deliver(1, 2, OTHER_TOKEN)
                .done(1, TOKEN);

        breaks("with a receipt that lost");
    }

    @Test
    void lostLeaseOfAMessageIsExtended() {
        Extend extend = new Extend(ACME, new Receipt(message(1), TOKEN), LEASE);
        scene.queue(3, true).send(1).deliver(1, 1, TOKEN).deliver(1, 2, OTHER_TOKEN);
        scene.note(new Fact.LeaseExtended(extend, new Extended.Until(scene.now().plus(LEASE))));

        breaks("a lease that was lost");
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
