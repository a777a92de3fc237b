package io.perdure.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Store;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.testkit.crash.MortalStore.Death;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Of what can go wrong with a run: its events, and its database. Each test has the name of the failure. */
abstract class WaitAndDatabaseFailures extends CrashFixture {
    static final Duration LONG_ENOUGH_TO_LET_GO = Duration.ofMillis(300);

    final Sightings seen = new Sightings();

    /**
     * Lets the database fail under a store that is in use, does something while it is away, and brings it back. Answers the store
     * that goes on: the same one, where it finds its way back by itself.
     */
    protected abstract Store failOver(Store store, Runnable meanwhile);

    @Test
    void stepWaitForEventTimesOut() {
        Workflow<String, String> workflow = Workflow.named("times_out").run(String.class, String.class, (ctx, _) -> {
            boolean paid = ctx.waitForEvent("paid", String.class, LONG_ENOUGH_TO_LET_GO)
                    .isPresent();
            String next = paid ? "send" : "remind";
            ctx.step(next, () -> seen.see(ctx));
            return next;
        });
        try (Store store = open();
                Engine engine = Engine.over(store, workflow)) {
            Run<String> run = engine.start(workflow, "", StartOptions.defaults());
            assertThat(run.result(LONG)).isEqualTo("remind");
            assertThat(seen.of(run.id())).containsExactly("remind");
            List<Recorded> history = run.history();
            assertThat(history)
                    .extracting(recorded -> recorded.event().getClass().getSimpleName())
                    .containsExactly("RunCreated", "WaitStarted", "WaitTimedOut", "StepCompleted", "RunCompleted");
            assertThat(history.get(2).at()).isAfterOrEqualTo(history.get(1).until());
        }
    }

    /** It is kept, also where its worker does not live to see the wait. */
    @Test
    void signalArrivesBeforeWaitIsRegistered() throws InterruptedException {
        AtomicBoolean first = new AtomicBoolean(true);
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch letGo = new CountDownLatch(1);
        Workflow<String, String> workflow = Workflow.named("early").run(String.class, String.class, (ctx, _) -> {
            ctx.step("before", () -> {
                seen.see(ctx);
                if (first.getAndSet(false)) {
                    inside.countDown();
                    letGo.await();
                }
            });
            return ctx.waitForEvent("paid", String.class);
        });
        try (MortalStore mortal = open(Death.never(), () -> {});
                Engine doomed = Engine.over(mortal, workflow)) {
            RunId id = doomed.start(workflow, "", StartOptions.defaults()).id();
            inside.await();
            doomed.signal(id, "paid", "early", null);
            mortal.die();
            mortal.release();
            endLeases();
            try (Store store = open();
                    Engine next = Engine.over(store, workflow)) {
                Run<String> run = next.run(workflow, id);
                assertThat(run.result(LONG)).isEqualTo("early");
                letGo.countDown();
                assertThat(run.history())
                        .extracting(Recorded::event)
                        .filteredOn(Event.EventReceived.class::isInstance)
                        .hasSize(1);
            }
        }
    }

    /** The step returns while nobody can write that down. */
    @Test
    void databaseFailsOverMidStep() throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch letGo = new CountDownLatch(1);
        Workflow<String, String> workflow = Workflow.named("fails_over").run(String.class, String.class, (ctx, _) -> {
            ctx.step("before", () -> seen.see(ctx));
            ctx.step("under_way", () -> {
                seen.see(ctx);
                inside.countDown();
                letGo.await();
            });
            ctx.step("after", () -> seen.see(ctx));
            return "done";
        });
        try (Store store = open();
                Engine engine = Engine.over(store, workflow)) {
            RunId id = engine.start(workflow, "", StartOptions.defaults()).id();
            inside.await();
            Store next = failOver(store, letGo::countDown);
            if (next.equals(store)) {
                assertWentOn(engine.run(workflow, id));
            } else {
                try (next;
                        Engine other = Engine.over(next, workflow)) {
                    assertWentOn(other.run(workflow, id));
                }
            }
        }
    }

    private void assertWentOn(Run<String> run) {
        List<String> steps = List.of("before", "under_way", "after");
        assertThat(run.result(LONG)).isEqualTo("done");
        assertThat(completions(run)).isEqualTo(steps);
        assertThat(seen.of(run.id())).startsWith("before", "under_way").contains("after");
        seen.comeInOrder(steps);
        assertThat(seen.of(run.id())).as("recorded before it failed").containsOnlyOnce("before");
    }

    static List<String> completions(Run<?> run) {
        return run.history().stream()
                .map(Recorded::event)
                .filter(Event.StepCompleted.class::isInstance)
                .map(event -> ((Event.StepCompleted) event).step().value())
                .toList();
    }
}
