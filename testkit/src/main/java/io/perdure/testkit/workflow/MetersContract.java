package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.perdure.core.OpenOptions;
import io.perdure.core.Perdure;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Receiving;
import io.perdure.sdk.retry.Backoff;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * What a registry is told, over a real store: every run, step, retry and signal once. A store's test extends this class and says where a fresh store
 * is.
 */
public abstract class MetersContract extends GaugesContract {
    /** Runs every rule on a store of its own, at the URL that this gives. */
    protected MetersContract(Supplier<String> freshUrl) {
        super(freshUrl);
    }

    @Test
    final void aRunAndItsStepsAreCountedOnceAndNumbersInNamesAreFolded() throws InterruptedException {
        Workflow<Integer, Integer> charges = Workflow.named("charges")
                .run(Integer.class, Integer.class, (ctx, many) -> {
                    for (int i = 0; i < many; i++) {
                        ctx.step("charge-" + i, () -> {});
                    }
                    return many;
                });
        perdure.register(charges).start();
        assertThat(perdure.start(charges, 7).result(PATIENCE)).isEqualTo(7);
        closeOnce(() -> timed("workflow.run.duration", "workflow", "charges") == 1);

        assertThat(counted("workflow.runs.started", "workflow", "charges")).isEqualTo(1);
        assertThat(counted("workflow.runs.completed", "workflow", "charges", "status", "completed"))
                .isEqualTo(1);
        assertThat(timed("workflow.run.duration", "workflow", "charges")).isEqualTo(1);
        assertThat(timed("workflow.step.duration", "workflow", "charges", "step", "charge-#"))
                .isEqualTo(7);
        assertThat(registry.find("workflow.step.duration").timers()).hasSize(1);
    }

    @Test
    final void aStartThatFindsItsRunIsNotCountedAgain() {
        StartOptions once = StartOptions.defaults().idempotencyKey("k");
        perdure.start("order", Json.of("1"), once);
        perdure.start("order", Json.of("1"), once);
        perdure.close();
        assertThat(counted("workflow.runs.started", "workflow", "order")).isEqualTo(1);
    }

    @Test
    final void retriesFailuresAndCancelsAreToldApart() throws InterruptedException {
        Workflow<String, String> failing = Workflow.named("failing").run(String.class, String.class, (ctx, _) -> {
            ctx.step(
                    "try",
                    () -> {
                        throw new IllegalStateException("as it should");
                    },
                    Retry.fixed(3, Duration.ofMillis(1)));
            return "never";
        });
        perdure.register(failing).start();
        Run<String> run = perdure.start(failing, "");
        eventually(() -> run.status() == RunStatus.FAILED);
        RunId cancelled =
                perdure.start("order", Json.of("1"), StartOptions.defaults()).id();
        perdure.cancel(cancelled, "no longer wanted");

        // Nobody here held the run that was cancelled: its workflow is looked up after the answer.
        closeOnce(() -> counted("workflow.runs.completed", "workflow", "order", "status", "cancelled") == 1
                && counted("workflow.runs.completed", "workflow", "failing", "status", "failed") == 1);
        assertThat(counted("workflow.step.retries", "workflow", "failing", "step", "try"))
                .isEqualTo(2);
        assertThat(counted("workflow.runs.completed", "workflow", "failing", "status", "failed"))
                .isEqualTo(1);
        assertThat(timed("workflow.step.duration", "workflow", "failing")).isZero();
        assertThat(timed("workflow.run.duration", "workflow", "order")).isEqualTo(1);
    }

    @Test
    final void theLastAttemptOfAStepFlowIsNoRetry() throws InterruptedException {
        StepFlow flow = StepFlow.named("flow")
                .step("start", _ -> {
                    throw new IllegalStateException("as it should");
                })
                .maxAttempts(3)
                .backoff(Backoff.fixed(Duration.ofMillis(1)));
        perdure.register(flow).start();
        Run<Json> run = perdure.start(flow, "");
        eventually(() -> run.status() == RunStatus.FAILED);
        closeOnce(() -> counted("workflow.runs.completed", "workflow", "flow", "status", "failed") == 1);

        assertThat(counted("workflow.step.retries", "workflow", "flow", "step", "start"))
                .isEqualTo(2);
    }

    @Test
    final void aRunThatIsRedrivenEndsTwice() throws InterruptedException {
        AtomicBoolean mended = new AtomicBoolean();
        Workflow<String, String> broken = Workflow.named("broken").run(String.class, String.class, (ctx, _) -> {
            ctx.step(
                    "try",
                    () -> {
                        if (!mended.get()) {
                            throw new IllegalStateException("as it should");
                        }
                    },
                    Retry.never());
            return "done";
        });
        perdure.register(broken).start();
        Run<String> run = perdure.start(broken, "");
        eventually(() -> run.status() == RunStatus.FAILED);
        mended.set(true);
        perdure.redrive(run.id(), "mended");
        assertThat(run.result(PATIENCE)).isEqualTo("done");
        closeOnce(() -> counted("workflow.runs.completed", "workflow", "broken", "status", "completed") == 1);

        assertThat(counted("workflow.runs.started", "workflow", "broken")).isEqualTo(1);
        assertThat(counted("workflow.runs.completed", "workflow", "broken", "status", "failed"))
                .isEqualTo(1);
        assertThat(counted("workflow.runs.completed", "workflow", "broken", "status", "completed"))
                .isEqualTo(1);
    }

    /** As the history has it: what lies between the first end and the redrive is nobody's time. */
    @Test
    final void aRunThatIsCancelledAfterItWasRedrivenTookItsTimeFromThenOn() throws InterruptedException {
        Workflow<String, String> broken = Workflow.named("broken").run(String.class, String.class, (ctx, _) -> {
            ctx.step(
                    "try",
                    () -> {
                        throw new IllegalStateException("as it should");
                    },
                    Retry.never());
            return "never";
        });
        perdure.register(broken).start();
        Run<String> run = perdure.start(broken, "");
        eventually(() -> run.status() == RunStatus.FAILED);
        closeOnce(() -> timed("workflow.run.duration", "workflow", "broken") == 1);
        perdure = Perdure.open(url, OpenOptions.defaults().meters(registry));
        perdure.redrive(run.id(), "mended");
        perdure.cancel(run.id(), "no longer wanted");
        List<Recorded> history = perdure.history(run.id(), 0, 100);
        // A timer increments its count before its total.
        closeOnce(() -> timed("workflow.run.duration", "workflow", "broken") == 2);

        Duration first = Duration.between(
                history.getFirst().at(), history.get(history.size() - 3).at());
        Duration second = Duration.between(
                history.get(history.size() - 2).at(), history.getLast().at());
        assertThat(history.get(history.size() - 2).event()).isInstanceOf(Event.RunRedriven.class);
        double both = registry.get("workflow.run.duration")
                .tag("workflow", "broken")
                .timer()
                .totalTime(TimeUnit.NANOSECONDS);
        assertThat(Duration.ofNanos((long) both)).isEqualTo(first.plus(second));
    }

    /** A registry of another version throws errors, not exceptions. */
    @Test
    final void aRegistryThatFailsTakesNothingFromTheWork() throws InterruptedException {
        perdure.close();
        registry.config().meterFilter(new MeterFilter() {
            @Override
            public Meter.Id map(Meter.Id id) {
                if (id.getName().startsWith("workflow.run")) {
                    throw new NoSuchMethodError("as it should");
                }
                return id;
            }
        });
        perdure = Perdure.open(url, OpenOptions.defaults().meters(registry));
        Workflow<String, String> sample = Workflow.named("sample").run(String.class, String.class, (ctx, name) -> {
            ctx.step("one", () -> {});
            return name;
        });
        perdure.register(sample).start();
        assertThat(perdure.start(sample, "ann").result(PATIENCE)).isEqualTo("ann");
        eventually(() -> counted("perdure.telemetry.dropped", "what", "meter") > 0);
    }

    @Test
    final void aSignalIsCountedByItsEventOnceForEachDeduplicationId() throws InterruptedException {
        RunId run =
                perdure.start("order", Json.of("1"), StartOptions.defaults()).id();
        perdure.signal(run, "paid", "x", "first");
        perdure.signal(run, "paid", "x", "first");
        perdure.signal(run, "paid", "x");
        closeOnce(() -> counted("workflow.signals", "workflow", "order", "event", "paid") >= 2);
        assertThat(counted("workflow.signals", "workflow", "order", "event", "paid"))
                .isEqualTo(2);
    }

    @Test
    final void theLedgersBatchesAndTheStoresCallsAreMeasured() {
        perdure.createQueue("mail").send(Json.of("1"));
        DistributionSummary batches =
                registry.get("perdure.ledger.batch.commits").summary();
        assertThat(batches.totalAmount()).isEqualTo(2);
        assertThat(timed("perdure.ledger.flush")).isEqualTo(batches.count());
        assertThat(timed("perdure.store.latency", "call", "commit")).isEqualTo(batches.count());
        perdure.queue("mail").receive();
        assertThat(timed("perdure.store.latency", "call", "receive")).isPositive();
    }

    @Test
    final void aLeaseThatIsGoneIsCounted() throws InterruptedException {
        MessageQueue mail = perdure.createQueue("mail");
        mail.send(Json.of("1"));
        Delivery first =
                mail.receive(Receiving.upTo(1).visibility(Duration.ofMillis(1))).getFirst();
        eventually(() -> !mail.receive().isEmpty());
        assertThat(perdure.ackAll(List.of(first.receipt()))).containsExactly(first.receipt());
        assertThat(counted("perdure.leases.lost", "of", "message")).isEqualTo(1);
        assertThat(counted("perdure.leases.lost", "of", "run")).isZero();
    }

    @Test
    final void anAcknowledgementThatIsSentAgainLosesNothingUnlessItsMessageIsThere() throws InterruptedException {
        MessageQueue mail = perdure.createQueue("mail");
        mail.send(Json.of("1"));
        Receipt done = mail.receive().getFirst().receipt();
        assertThat(perdure.ackAll(List.of(done))).isEmpty();
        mail.send(Json.of("2"));
        Receipt late = mail.receive(Receiving.upTo(1).visibility(Duration.ofMillis(1)))
                .getFirst()
                .receipt();
        eventually(() -> !mail.receive().isEmpty());
        mail.send(Json.of("3"));
        Receipt open = mail.receive().getFirst().receipt();

        assertThat(perdure.ackAgain(List.of(done, open))).isEmpty();
        assertThat(counted("perdure.leases.lost", "of", "message")).isZero();
        assertThat(mail.status().figures().depth()).isEqualTo(1);
        assertThat(perdure.ackAgain(List.of(late, done, open))).containsExactly(late);
        assertThat(counted("perdure.leases.lost", "of", "message")).isEqualTo(1);
    }

    @Test
    final void aRunThatGoesOnInAnotherProcessIsCountedByWhoSawIt() throws InterruptedException {
        Workflow<String, String> waiting = Workflow.named("waiting").run(String.class, String.class, (ctx, _) -> {
            ctx.step("before", () -> {});
            return ctx.waitForEvent("go", String.class, Duration.ofHours(1)).orElse("never");
        });
        perdure.register(waiting).start();
        Run<String> run = perdure.start(waiting, "");
        eventually(() -> timed("workflow.step.duration", "workflow", "waiting", "step", "before") == 1);
        perdure.close();
        SimpleMeterRegistry later = new SimpleMeterRegistry();
        try (Perdure next = Perdure.open(url, OpenOptions.defaults().meters(later))
                .register(waiting)
                .start()) {
            next.signal(run.id(), "go", "on");
            assertThat(next.run(waiting, run.id()).result(PATIENCE)).isEqualTo("on");
            eventually(() -> completed(later) == 1);
        }
        assertThat(completed(later)).isEqualTo(1);
        assertThat(later.find("workflow.step.duration").timers()).isEmpty();
        assertThat(later.find("workflow.runs.started").counters()).allMatch(counter -> counter.count() == 0);
        assertThat(later.get("perdure.mailbox.signals").summary().count()).isPositive();
        perdure = Perdure.open(url);
    }

    private static double completed(SimpleMeterRegistry registry) {
        Counter counter = registry.find("workflow.runs.completed")
                .tag("status", "completed")
                .counter();
        return counter == null ? 0 : counter.count();
    }
}
