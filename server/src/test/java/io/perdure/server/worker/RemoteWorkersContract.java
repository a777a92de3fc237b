package io.perdure.server.worker;

import static io.perdure.server.worker.Waiting.PATIENCE;
import static io.perdure.server.worker.Waiting.await;
import static io.perdure.server.worker.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.client.Elsewhere;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What workers elsewhere do with runs, whatever store the server has. */
abstract class RemoteWorkersContract {
    private TestServer server;

    @SuppressWarnings("NullAway.Init") // Opened before each test.
    RemoteWorkersContract() {}

    /** An empty store of the test's own. */
    abstract String freshUrl();

    @BeforeEach
    final void open() {
        server = new TestServer(freshUrl());
    }

    @AfterEach
    final void close() {
        server.close();
    }

    private static <O> Workflow<String, O> workflow(Class<O> output, WorkflowCode<String, O> code) {
        return Workflow.named("sample").run(String.class, output, code);
    }

    private static <E extends Event> List<E> events(Run<?> run, Class<E> kind) {
        return run.history().stream()
                .map(Recorded::event)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    @Test
    void threeStepsRunElsewhere() {
        Workflow<String, String> three = workflow(String.class, (context, input) -> {
            String one = context.step("one", String.class, () -> input + "-1");
            String two = context.step("two", String.class, () -> one + "-2 \u0000 \"😀\"");
            return context.step("three", String.class, () -> two + "-3");
        });
        try (Elsewhere _ = Elsewhere.working(server.port(), 10, three)) {
            Run<String> run = server.perdure().start(three, "in");

            assertThat(run.result(PATIENCE)).isEqualTo("in-1-2 \u0000 \"😀\"-3");
            assertThat(events(run, Event.StepCompleted.class)).hasSize(3);
            assertThat(server.perdure().working()).isZero();
        }
    }

    @Test
    void aSignalWakesARunThatWaits() throws InterruptedException {
        Workflow<String, String> waiting =
                workflow(String.class, (context, input) -> input + context.waitForEvent("verified", String.class));
        try (Elsewhere worker = Elsewhere.working(server.port(), 10, waiting)) {
            Run<String> run = server.perdure().start(waiting, "by ");
            until(() -> !events(run, Event.WaitStarted.class).isEmpty() && worker.runs() == 0);
            server.perdure().signal(run.id(), "verified", "mail");

            assertThat(run.result(PATIENCE)).isEqualTo("by mail");
        }
    }

    @Test
    void aSignalThatCameBeforeItsWaitIsTaken() throws InterruptedException {
        CountDownLatch signalled = new CountDownLatch(1);
        Workflow<String, String> waiting = workflow(String.class, (context, _) -> {
            context.step("hold", () -> await(signalled));
            return context.waitForEvent("verified", String.class);
        });
        try (Elsewhere worker = Elsewhere.working(server.port(), 10, waiting)) {
            Run<String> run = server.perdure().start(waiting, "");
            until(() -> worker.runs() == 1);
            server.perdure().signal(run.id(), "verified", "early");
            signalled.countDown();

            assertThat(run.result(PATIENCE)).isEqualTo("early");
        }
    }

    @Test
    void aRunThatSleepsIsLetGoOfAndTakenUpAgainWhenItIsTime() throws InterruptedException {
        Workflow<String, String> sleeping = workflow(String.class, (context, input) -> {
            context.sleep("nap", Duration.ofMillis(600));
            return context.step("after", String.class, () -> input + " slept");
        });
        try (Elsewhere worker = Elsewhere.working(server.port(), 10, sleeping)) {
            Run<String> run = server.perdure().start(sleeping, "has");
            until(() -> !events(run, Event.SleepStarted.class).isEmpty() && worker.runs() == 0);

            assertThat(run.result(PATIENCE)).isEqualTo("has slept");
            List<Recorded> history = run.history();
            Recorded nap = history.get(1);
            assertThat(Duration.between(nap.at(), history.getLast().at()))
                    .isGreaterThanOrEqualTo(Duration.ofMillis(600));
        }
    }

    @Test
    void aHintOfItsCancelInterruptsAStep() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Workflow<String, String> long1 = workflow(
                String.class,
                (context, _) -> context.step("long", String.class, () -> {
                    begun.countDown();
                    try {
                        await(new CountDownLatch(1));
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                    return "never";
                }));
        try (Elsewhere worker = Elsewhere.hinted(server.port(), 10, long1)) {
            Run<String> run = server.perdure().start(long1, "");
            await(begun);
            server.perdure().cancel(run.id(), "enough");
            await(interrupted);

            assertThat(run.status()).isEqualTo(RunStatus.CANCELLED);
            until(() -> worker.runs() == 0);
        }
    }

    @Test
    void twoWorkersShareTheLoad() {
        CountDownLatch fourAtOnce = new CountDownLatch(4);
        Workflow<String, String> shared = workflow(
                String.class,
                (context, input) -> context.step("together", String.class, () -> {
                    fourAtOnce.countDown();
                    await(fourAtOnce);
                    return input;
                }));
        try (Elsewhere _ = Elsewhere.working(server.port(), 2, shared);
                Elsewhere _ = Elsewhere.working(server.port(), 2, shared)) {
            List<Run<String>> runs = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                runs.add(server.perdure().start(shared, "run " + i));
            }

            for (int i = 0; i < 4; i++) {
                assertThat(runs.get(i).result(PATIENCE)).isEqualTo("run " + i);
            }
        }
    }

    @Test
    void aWorkerThatClosesHandsItsRunsOn() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        AtomicInteger first = new AtomicInteger();
        Workflow<String, String> moving = workflow(String.class, (context, _) -> {
            context.step("first", () -> {
                first.incrementAndGet();
                begun.countDown();
                await(closing);
            });
            return context.step("second", String.class, () -> "done");
        });
        Elsewhere old = Elsewhere.draining(PATIENCE, server.port(), 10, moving);
        Run<String> run = server.perdure().start(moving, "");
        await(begun);
        Thread closer = Thread.ofVirtual().start(old::close);
        until(() -> server.perdure().operations().workers().isEmpty());
        closing.countDown();
        closer.join();
        try (Elsewhere _ = Elsewhere.working(server.port(), 10, moving)) {
            assertThat(run.result(PATIENCE)).isEqualTo("done");
            assertThat(first).hasValue(1);
        }
    }

    @Test
    void theServerKnowsItsWorkers() throws InterruptedException {
        Workflow<String, String> any = workflow(String.class, (_, input) -> input);
        try (Elsewhere _ = Elsewhere.working(server.port(), 7, any)) {
            until(() -> !server.perdure().operations().workers().isEmpty());

            assertThat(server.perdure().operations().workers()).singleElement().satisfies(worker -> {
                assertThat(worker.concurrency()).isEqualTo(7);
                assertThat(worker.served()).hasSize(1);
            });
        }
        assertThat(server.perdure().operations().workers()).isEmpty();
    }

    @Test
    void manyRunsCompleteAndEachStepRunsOnce() {
        AtomicInteger steps = new AtomicInteger();
        Set<String> seen = ConcurrentHashMap.newKeySet();
        Workflow<String, Integer> counting = workflow(Integer.class, (context, input) -> {
            int sum = 0;
            for (int i = 0; i < 3; i++) {
                String name = "step-" + i;
                sum += context.step(name, Integer.class, () -> {
                    steps.incrementAndGet();
                    seen.add(input + name);
                    return 1;
                });
            }
            return sum;
        });
        try (Elsewhere _ = Elsewhere.working(server.port(), 100, counting)) {
            List<Run<Integer>> runs = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                runs.add(server.perdure().start(counting, "run " + i));
            }

            assertThat(runs).allSatisfy(run -> assertThat(run.result(PATIENCE)).isEqualTo(3));
            assertThat(steps).hasValue(900);
            assertThat(seen).hasSize(900);
        }
    }
}
