package io.perdure.testkit.invariant;

import static io.perdure.testkit.invariant.Scene.FLOW;
import static io.perdure.testkit.invariant.Scene.GO;
import static io.perdure.testkit.invariant.Scene.JOBS;
import static io.perdure.testkit.invariant.Scene.LEASE;
import static io.perdure.testkit.invariant.Scene.OTHER_RUN;
import static io.perdure.testkit.invariant.Scene.PLAIN;
import static io.perdure.testkit.invariant.Scene.RUN;
import static io.perdure.testkit.invariant.Scene.TOKEN;
import static io.perdure.testkit.invariant.Scene.ZETA;
import static io.perdure.testkit.invariant.Scene.message;
import static io.perdure.testkit.invariant.Scene.startOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunSnapshot;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.QueueFigures;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What belongs to a tenant stays with it. */
class TenantIsolationTest {
    private final Invariant invariant = new TenantIsolation();
    private final Scene scene = new Scene();

    @Test
    void ownRunsAndMessagesAreFine() {
        scene.queue(3, true)
                .start()
                .claim(TOKEN)
                .read(RunStatus.RUNNING, scene.history())
                .send(1)
                .deliver(1, 1, TOKEN);
        scene.note(new Fact.RunAbsent(ZETA, RUN));

        holds();
    }

    @Test
    void foreignRunIsRead() {
        RunSnapshot snapshot = scene.snapshot(RUN, RunStatus.RUNNING, scene.history(), List.of());
        scene.start().note(new Fact.RunRead(ZETA, snapshot));

        breaks("by tenant zeta");
    }

    @Test
    void foreignRunIsClaimed() {
        scene.start().claim(TOKEN);
        Fact.RunClaimed claim =
                scene.trace().only(Fact.RunClaimed.class).getFirst().fact();
        scene.note(new Fact.RunClaimed(ZETA, claim.run(), claim.lease()));

        breaks("by tenant zeta");
    }

    @Test
    void foreignRunIsChanged() {
        scene.start().commit(new RunCommit.Signal(ZETA, RUN, GO, Json.number(1), null), new Outcome.Signalled(1, true));

        breaks("by tenant zeta");
    }

    @Test
    void foreignRunIsAnsweredToAStart() {
        RunCommit.Start start = startOf(OTHER_RUN, PLAIN, Due.atOnce());
        scene.start()
                .commit(
                        new RunCommit.Start(ZETA, OTHER_RUN, start.definition(), Due.atOnce(), null, PLAIN),
                        new Outcome.Duplicate(RUN, RunStatus.RUNNING, Outcome.Key.WORKFLOW_ID));

        breaks("by tenant zeta");
    }

    @Test
    void foreignRunHoldsAKey() {
        scene.start().note(new Fact.KeyRead(ZETA, FLOW, new IdempotencyKey("k"), RUN));

        breaks("by tenant zeta");
    }

    @Test
    void foreignMessageIsDelivered() {
        scene.queue(3, true).send(1).deliver(1, 1, TOKEN);
        Fact.MessageDelivered delivered =
                scene.trace().only(Fact.MessageDelivered.class).getFirst().fact();
        scene.note(new Fact.MessageDelivered(ZETA, delivered.delivery(), delivered.lease()));

        breaks("by tenant zeta");
    }

    @Test
    void foreignMessageIsRead() {
        QueueFigures figures = new QueueFigures(0, 0, 1, null, 1, 0, 0, 0, 0);
        scene.queue(3, true).send(1);
        scene.note(new Fact.QueueRead(ZETA, JOBS, List.of(scene.row(1, JOBS, 1, 0, null)), figures));

        breaks("by tenant zeta");
    }

    @Test
    void foreignHistoryIsRead() {
        scene.start().note(new Fact.HistoryRead(ZETA, RUN, 0, 5, scene.history()));

        breaks("was read by tenant zeta");
    }

    @Test
    void foreignHistoryIsNotFound() {
        scene.start().note(new Fact.HistoryRead(ZETA, RUN, 0, 5, List.of()));

        holds();
    }

    @Test
    void foreignLeaseIsExtended() {
        Extend foreign = new Extend(ZETA, new Receipt(MessageId.of(RUN), TOKEN), LEASE);
        scene.start().claim(TOKEN).note(new Fact.LeaseExtended(foreign, new Extended.Until(scene.now())));

        breaks("was held for longer by tenant zeta");
    }

    @Test
    void foreignLeaseIsLost() {
        Extend foreign = new Extend(ZETA, new Receipt(MessageId.of(RUN), TOKEN), LEASE);
        scene.start().claim(TOKEN).note(new Fact.LeaseExtended(foreign, new Extended.Lost(null)));

        holds();
    }

    @Test
    void foreignMessageIsSettled() {
        QueueCommit foreign =
                new QueueCommit.Settle(ZETA, new Receipt(message(1), TOKEN), new QueueCommit.Verdict.Done());
        scene.queue(3, true).send(1).commit(foreign, new Outcome.Settled(Fate.DONE));

        breaks("was changed by tenant zeta");
    }

    @Test
    void foreignMessageIsDiscarded() {
        scene.queue(3, true).send(1).commit(new QueueCommit.Discard(ZETA, JOBS, message(1)), new Outcome.Changed(1));

        breaks("was changed by tenant zeta");
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
