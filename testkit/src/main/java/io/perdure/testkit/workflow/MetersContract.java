package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.perdure.core.OpenOptions;
import io.perdure.core.Perdure;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.key.Role;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a registry is told, over a real store: every run, step, retry and signal once. A store's test extends this class and says where a fresh store
 * is.
 */
public abstract class MetersContract {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Supplier<String> freshUrl;
    private final SystemEnvironment environment = new SystemEnvironment();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private String url = "";
    private Perdure perdure;

    /** Runs every rule on a store of its own, at the URL that this gives. */
    @SuppressWarnings("NullAway.Init") // Opened before each test.
    protected MetersContract(Supplier<String> freshUrl) {
        this.freshUrl = freshUrl;
    }

    @BeforeEach
    final void open() {
        url = freshUrl.get();
        perdure = Perdure.open(url, OpenOptions.defaults().meters(registry));
    }

    @AfterEach
    final void close() {
        perdure.close();
    }

    private double counted(String name, String... tags) {
        Counter counter = registry.find(name).tags(tags).counter();
        return counter == null ? 0 : counter.count();
    }

    private long timed(String name, String... tags) {
        Timer timer = registry.find(name).tags(tags).timer();
        return timer == null ? 0 : timer.count();
    }

    private double shown(String name, String... tags) {
        perdure.readMeters();
        Gauge gauge = registry.find(name).tags(tags).gauge();
        return gauge == null ? 0 : gauge.value();
    }

    private void eventually(BooleanSupplier holds) throws InterruptedException {
        long began = environment.nanoTime();
        while (!holds.getAsBoolean()) {
            assertThat(environment.nanoTime() - began).isLessThan(PATIENCE.toNanos());
            environment.sleep(Duration.ofMillis(10));
        }
    }

    @Test
    final void aRunAndItsStepsAreCountedOnceAndNumbersInNamesAreFolded() {
        Workflow<Integer, Integer> charges = Workflow.named("charges")
                .run(Integer.class, Integer.class, (ctx, many) -> {
                    for (int i = 0; i < many; i++) {
                        ctx.step("charge-" + i, () -> {});
                    }
                    return many;
                });
        perdure.register(charges).start();
        assertThat(perdure.start(charges, 7).result(PATIENCE)).isEqualTo(7);

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
        eventually(() -> counted("workflow.runs.completed", "workflow", "order", "status", "cancelled") == 1);
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
        perdure.close();
        perdure = Perdure.open(url, OpenOptions.defaults().meters(registry));
        perdure.redrive(run.id(), "mended");
        perdure.cancel(run.id(), "no longer wanted");
        eventually(() -> timed("workflow.run.duration", "workflow", "broken") == 2);

        List<Recorded> history = perdure.history(run.id(), 0, 100);
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
    final void aRegistryThatFailsTakesNothingFromTheWork() {
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
        assertThat(counted("perdure.telemetry.dropped", "what", "meter")).isPositive();
    }

    @Test
    final void aSignalIsCountedByItsEventOnceForEachDeduplicationId() throws InterruptedException {
        RunId run =
                perdure.start("order", Json.of("1"), StartOptions.defaults()).id();
        perdure.signal(run, "paid", "x", "first");
        perdure.signal(run, "paid", "x", "first");
        perdure.signal(run, "paid", "x");
        eventually(() -> counted("workflow.signals", "workflow", "order", "event", "paid") == 2);
    }

    @Test
    final void whatTheStoreHoldsIsShownOfAllTenantsTogether() throws InterruptedException {
        Workflow<String, String> parking = Workflow.named("parking").run(String.class, String.class, (ctx, _) -> {
            ctx.step("twice", () -> {});
            ctx.step("twice", () -> {});
            return "never";
        });
        perdure.register(parking).start();
        perdure.start("order", Json.of("1"), StartOptions.defaults());
        perdure.tenant(new TenantId("acme")).start("order", Json.of("1"), StartOptions.defaults());
        Run<String> parked = perdure.start(parking, "");
        eventually(() -> parked.status() == RunStatus.PARKED);
        MessageQueue mail = perdure.createQueue("mail");
        mail.send(Json.of("1"));
        mail.send(Json.of("2"));
        mail.receive(Receiving.upTo(1));

        assertThat(shown("workflow.runs.in.flight", "workflow", "order")).isEqualTo(2);
        assertThat(shown("perdure.runs.parked", "workflow", "parking")).isEqualTo(1);
        assertThat(shown("workflow.runs.in.flight", "workflow", "parking")).isZero();
        // Nobody serves the one, and the other has nothing to be taken.
        assertThat(shown("perdure.runs.oldest.due", "workflow", "order")).isPositive();
        assertThat(registry.get("perdure.runs.oldest.due")
                        .tag("workflow", "parking")
                        .gauge()
                        .value())
                .isZero();
        assertThat(shown("perdure.queue.messages", "queue", "mail", "state", "ready"))
                .isEqualTo(1);
        assertThat(shown("perdure.queue.messages", "queue", "mail", "state", "leased"))
                .isEqualTo(1);
        assertThat(shown("perdure.queue.oldest.age", "queue", "mail")).isPositive();
    }

    /** Processes over one store say the same of it, whichever of them a tenant that came later works through. */
    @Test
    final void aTenantOfWhomOnlyItsKeyTellsIsShown() {
        TenantId acme = new TenantId("acme");
        perdure.keys().create(acme, "theirs", Role.CLIENT, null);
        try (Perdure elsewhere = Perdure.open(url, OpenOptions.defaults().tenant(acme.value()))) {
            elsewhere.start("order", Json.of("1"), StartOptions.defaults());
            elsewhere.createQueue("mail").send(Json.of("1"));
        }

        assertThat(shown("workflow.runs.in.flight", "workflow", "order")).isEqualTo(1);
        assertThat(shown("perdure.queue.messages", "queue", "mail", "state", "ready"))
                .isEqualTo(1);
    }

    @Test
    final void whatComesAndGoesInAQueueIsCounted() throws InterruptedException {
        eventually(() -> {
            perdure.readMeters();
            return registry.find("perdure.workers").gauge() != null;
        });
        MessageQueue mail = perdure.createQueue("mail");
        for (int i = 0; i < 4; i++) {
            mail.send(Json.of("1"));
        }
        List<Delivery> deliveries = mail.receive(Receiving.upTo(3));
        perdure.ackAll(List.of(deliveries.get(0).receipt()));
        perdure.reject(deliveries.get(1).receipt(), "as it should");
        perdure.retry(deliveries.get(2).receipt(), Duration.ZERO, "once more");

        eventually(() -> {
            perdure.readMeters();
            return counted("perdure.queue.traffic", "queue", "mail", "what", "in") == 4;
        });
        assertThat(counted("perdure.queue.traffic", "queue", "mail", "what", "out"))
                .isEqualTo(1);
        assertThat(counted("perdure.queue.traffic", "queue", "mail", "what", "retried"))
                .isEqualTo(1);
        assertThat(counted("perdure.queue.traffic", "queue", "mail", "what", "dead_lettered"))
                .isEqualTo(1);
        assertThat(counted("perdure.queue.traffic", "queue", "mail.dlq", "what", "in"))
                .isEqualTo(1);
    }

    @Test
    final void howMuchOfTheRoomForRunsIsInUseIsShown() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        Workflow<String, String> staying = Workflow.named("staying").run(String.class, String.class, (ctx, _) -> {
            ctx.step("stay", done::await);
            return "done";
        });
        assertThat(shown("perdure.worker.concurrency")).isZero();
        perdure.register(staying).start();
        Run<String> run = perdure.start(staying, "");
        eventually(() -> shown("perdure.worker.runs") == 1);
        assertThat(shown("perdure.worker.concurrency"))
                .isEqualTo(OpenOptions.defaults().limits().workers().concurrency());
        done.countDown();
        assertThat(run.result(PATIENCE)).isEqualTo("done");
        eventually(() -> shown("perdure.worker.runs") == 0);
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
            assertThat(later.get("workflow.runs.completed")
                            .tag("status", "completed")
                            .counter()
                            .count())
                    .isEqualTo(1);
            assertThat(later.find("workflow.step.duration").timers()).isEmpty();
            assertThat(later.find("workflow.runs.started").counters()).allMatch(counter -> counter.count() == 0);
            assertThat(later.get("perdure.mailbox.signals").summary().count()).isPositive();
        }
        perdure = Perdure.open(url);
    }
}
