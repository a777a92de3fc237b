package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.OpenOptions;
import io.perdure.core.store.Ledger;
import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.core.telemetry.Telemetry;
import io.perdure.core.workflow.Workflows;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** How many runs are worked on at once, and how a worker lets go of them. */
abstract class WorkerContract extends WorkflowFixture {
    WorkerContract(Opening opening) {
        super(opening);
    }

    /** Starts so many runs that each take a step and a short sleep; answers how many were at work at once at most. */
    private int mostAtOnce(int slots, int runs) throws InterruptedException {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        reopen(OpenOptions.defaults().concurrency(slots));
        Workflow<String, String> counted = serve(String.class, (ctx, input) -> {
            ctx.step("count", () -> {
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                inside.decrementAndGet();
            });
            ctx.sleep("pause", Duration.ofMillis(5));
            return input;
        });
        List<Run<String>> started = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            started.add(perdure.start(counted, "run " + run));
        }
        for (int run = 0; run < runs; run++) {
            assertThat(started.get(run).result(PATIENCE)).isEqualTo("run " + run);
        }
        until(() -> perdure.working() == 0);
        return most.get();
    }

    @Test
    final void oneAtATimeGetsThroughMany() throws InterruptedException {
        assertThat(mostAtOnce(1, 30)).isEqualTo(1);
    }

    @Test
    final void moreRunsThanRoomAllGetTheirTurn() throws InterruptedException {
        assertThat(mostAtOnce(4, 200)).isLessThanOrEqualTo(4);
    }

    @Test
    final void whatWaitsInTheStoreGetsItsTurnWhileOthersAreStarted() throws InterruptedException {
        reopen(OpenOptions.defaults().concurrency(1));
        Workflow<String, String> quick = serve(String.class, (ctx, input) -> {
            ctx.step("a", () -> {});
            return input;
        });
        Run<String> waits =
                perdure.start(quick, "waits", StartOptions.defaults().delay(Duration.ofMillis(100)));
        long began = System.nanoTime();
        List<Thread> starters = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            starters.add(Thread.ofVirtual().start(() -> {
                while (waits.status() == RunStatus.RUNNING && System.nanoTime() - began < PATIENCE.toNanos()) {
                    perdure.start(quick, "hasty").result(PATIENCE);
                }
            }));
        }
        for (Thread starter : starters) {
            starter.join();
        }

        assertThat(System.nanoTime() - began).isLessThan(PATIENCE.toNanos());
        assertThat(waits.result(PATIENCE)).isEqualTo("waits");
    }

    @Test
    final void closingWaitsForTheStepUnderWayAndTheNextEngineGoesOnAfterIt() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger first = new AtomicInteger();
        Workflow<String, Integer> held = workflow(Integer.class, (ctx, _) -> {
            int a = ctx.step("first", Integer.class, () -> {
                begun.countDown();
                await(go);
                return first.incrementAndGet();
            });
            return a + ctx.step("second", Integer.class, () -> 10);
        });
        perdure.register(held).start();
        RunId run = perdure.start(held, "").id();
        await(begun);
        reopenAround(go);

        assertThat(events(perdure.run(run), Event.StepCompleted.class)).hasSize(1);
        perdure.register(held).start();
        assertThat(perdure.run(held, run).result(PATIENCE)).isEqualTo(11);
        assertThat(first).hasValue(1);
    }

    @Test
    final void aStepThatOutlastsTheDrainIsInterruptedAndHasNotFailed() throws InterruptedException {
        reopen(OpenOptions.defaults().drain(Duration.ofMillis(50)));
        CountDownLatch begun = new CountDownLatch(1);
        AtomicInteger attempts = new AtomicInteger();
        Workflow<String, Integer> slow = workflow(
                Integer.class,
                (ctx, _) -> ctx.step("slow", Integer.class, () -> {
                    begun.countDown();
                    if (attempts.incrementAndGet() == 1) {
                        new CountDownLatch(1).await();
                    }
                    return ctx.attempt().number();
                }));
        perdure.register(slow).start();
        RunId run = perdure.start(slow, "").id();
        await(begun);
        reopen(OpenOptions.defaults());
        perdure.register(slow).start();

        assertThat(perdure.run(slow, run).result(PATIENCE)).isEqualTo(1);
        assertThat(attempts).hasValue(2);
        assertThat(events(perdure.run(run), Event.StepFailed.class)).isEmpty();
    }

    @Test
    final void closingEndsTheWaitForARunWhoseCodeDoesNotLetGo() throws InterruptedException {
        reopen(OpenOptions.defaults().drain(Duration.ofMillis(50)));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Run<String> run = started(String.class, (_, _) -> {
            begun.countDown();
            await(go);
            return "too late";
        });
        AtomicReference<ErrorCode> code = new AtomicReference<>();
        Thread waiter = Thread.ofVirtual().start(() -> {
            try {
                run.result(PATIENCE);
            } catch (PerdureException e) {
                code.set(e.code());
            }
        });
        await(begun);
        perdure.close();
        waiter.join();
        go.countDown();

        assertThat(code).hasValue(ErrorCode.STORE_CLOSED);
    }

    @Test
    final void aDrainMayTakeForEver() {
        reopen(OpenOptions.defaults().drain(Duration.ofSeconds(Long.MAX_VALUE)));

        assertThat(resultOf(String.class, (_, input) -> input)).isEqualTo("input");
    }

    @Test
    final void closingTwiceIsHarmlessAndAfterItNothingIsStarted() {
        Workflow<String, String> echo = serve(String.class, (_, input) -> input);
        perdure.close();
        perdure.close();

        assertFails(ErrorCode.STORE_CLOSED, () -> perdure.start(echo, "a"));
    }

    @Test
    final void aRunThatHadItsTurnLetsGoBetweenSteps() {
        SystemEnvironment environment = new SystemEnvironment();
        Limits.Workers usual = Limits.defaults().workers();
        Limits limits = Limits.defaults()
                .with(new Limits.Workers(
                        usual.concurrency(),
                        usual.concurrencyMax(),
                        Duration.ofMillis(100),
                        usual.waitInMemory(),
                        usual.completionWaits(),
                        usual.extendEvery(),
                        usual.stepStartsWithin(),
                        usual.drain(),
                        usual.spareThreads()));
        AtomicInteger turns = new AtomicInteger();
        AtomicInteger first = new AtomicInteger();
        Workflow<String, Integer> lengthy = workflow(Integer.class, (ctx, _) -> {
            turns.incrementAndGet();
            ctx.step("first", () -> {
                first.incrementAndGet();
                environment.sleep(Duration.ofMillis(150));
            });
            return ctx.step("second", Integer.class, () -> 2);
        });
        perdure.close();
        try (Store store = Stores.open(url(), environment, limits);
                Ledger ledger = Ledger.open(store, environment, limits);
                Workflows workflows = new Workflows(new Workflows.Setup(
                        store, ledger, environment, TenantId.DEFAULT, Codec.standard(), limits, Telemetry.NONE))) {
            workflows.register(lengthy);
            workflows.work();

            assertThat(workflows.start(lengthy, "", StartOptions.defaults()).result(PATIENCE))
                    .isEqualTo(2);
            // More than two if the machine stood still between the begin of a turn and its step.
            assertThat(turns).hasValueGreaterThanOrEqualTo(2);
            assertThat(first).hasValue(1);
        }
    }

    @Test
    final void aRunThatOutlivesItsEngineIsGoneOnWithByTheNext() throws InterruptedException {
        Workflow<String, String> sleeper = workflow(String.class, (ctx, input) -> {
            ctx.sleep("pause", Duration.ofMillis(400));
            return input;
        });
        perdure.register(sleeper).start();
        Run<String> run = perdure.start(sleeper, "slept");
        until(() -> !events(run, Event.SleepStarted.class).isEmpty());
        reopen(OpenOptions.defaults());
        perdure.register(sleeper).start();

        assertThat(perdure.run(run.id()).result(PATIENCE)).isEqualTo(Json.string("slept"));
    }
}
