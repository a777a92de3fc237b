package io.perdure.core.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.perdure.core.store.Batch;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Commit;
import io.perdure.core.store.LaneId;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.Store;
import io.perdure.core.store.memory.MemoryStore;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.worker.Claim;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What two processes over one store tell of a run, of which neither has seen all. */
class RunCardsTest {
    private static final TenantId TENANT = TenantId.DEFAULT;
    private static final RunId RUN = new RunId(new UUID(1, 1));
    private static final WorkflowName ORDER = new WorkflowName("order");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ROOM = 3;

    private final SystemEnvironment environment = new SystemEnvironment();
    private final AtomicInteger reads = new AtomicInteger();
    private final Limits limits =
            Limits.defaults().with(Limits.defaults().runs().holding(1_000, ROOM));
    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final Store shared = counted(new MemoryStore(() -> now, limits));
    private final Side first = new Side(1);
    private final Side second = new Side(2);

    /** A process that watches what goes through it. */
    private final class Side {
        private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
        private final Telemetry telemetry = new Telemetry(new Telemetry.Watchers(registry, null), PATIENCE);
        private final Store store = telemetry.over(shared, environment, () -> List.of(TENANT));
        private final LaneId lane;
        private long batch;

        Side(int number) {
            lane = new LaneId(new ProcessId(new UUID(7, number)), 0);
            store.openLanes(lane.process(), 1);
        }

        Outcome commit(Commit commit) {
            return store.commit(new Batch(lane, ++batch, List.of(commit))).getFirst();
        }

        void start() {
            commit(new RunCommit.Start(
                    TENANT,
                    RUN,
                    new RunCommit.Definition(ORDER, 1, null, Json.of("1"), Map.of()),
                    Due.atOnce(),
                    null,
                    new RunCommit.StartOptions(null, null, Due.never(), Map.of(), 1, null)));
        }

        /** Takes the run up as a worker does; answers its token. */
        UUID claim() {
            Lease lease = new Lease(environment.ids().token(), Duration.ofSeconds(10));
            ClaimRuns asked = new ClaimRuns(TENANT, List.of(new Claim.Served(ORDER, Set.of(1))), 1, lease);
            assertThat(store.claim(asked).runs()).hasSize(1);
            store.snapshots(TENANT, List.of(RUN));
            return lease.token();
        }

        void advance(UUID token, long seq, Event event) {
            assertThat(commit(
                            new RunCommit.Advance(TENANT, RUN, token, seq, List.of(new Draft(event)), List.of(), null)))
                    .isInstanceOf(Outcome.Appended.class);
        }

        void intervene(Event event) {
            assertThat(commit(new RunCommit.Intervene(TENANT, RUN, event))).isInstanceOf(Outcome.Appended.class);
        }

        Outcome signal() {
            return commit(new RunCommit.Signal(TENANT, RUN, new EventName("paid"), Json.of("1"), null));
        }

        double counted(String name) {
            return registry.find(name).counters().stream()
                    .mapToDouble(counter -> counter.count())
                    .sum();
        }

        long steps() {
            return registry.find("workflow.step.duration").timers().stream()
                    .mapToLong(Timer::count)
                    .sum();
        }

        /** How long the runs took that ended here, once all is told. */
        void assertDurations(int runs, Duration together) {
            telemetry.close();
            Timer durations = registry.get("workflow.run.duration")
                    .tag("workflow", "order")
                    .timer();
            assertThat(durations.count()).isEqualTo(runs);
            assertThat(Duration.ofNanos((long) durations.totalTime(TimeUnit.NANOSECONDS)))
                    .isEqualTo(together);
        }
    }

    @AfterEach
    void close() {
        first.telemetry.close();
        second.telemetry.close();
        shared.close();
    }

    private Store counted(Store store) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (_, method, arguments) -> {
                    if (method.getName().equals("run")) {
                        reads.incrementAndGet();
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void pass(Duration time) {
        now = now.plus(time);
    }

    private void eventually(BooleanSupplier holds) {
        long began = environment.nanoTime();
        while (!holds.getAsBoolean()) {
            assertThat(environment.nanoTime() - began).isLessThan(PATIENCE.toNanos());
            Thread.onSpinWait();
        }
    }

    private static Event failed() {
        return new Event.RunFailed(new Failure("Broken", "as it should", null));
    }

    private static Event.StepCompleted done(int step) {
        return new Event.StepCompleted(new StepName("step-" + step), Json.NULL, Instant.EPOCH);
    }

    @Test
    void aRunThatIsCancelledAfterItWasRedrivenTookItsTimeFromThenOn() {
        first.start();
        pass(Duration.ofSeconds(1));
        first.advance(first.claim(), 1, failed());
        pass(Duration.ofDays(7));
        first.intervene(new Event.RunRedriven("ann", "mended"));
        pass(Duration.ofSeconds(2));
        first.intervene(new Event.RunCancelled("ann", "not wanted"));

        first.assertDurations(2, Duration.ofSeconds(3));
    }

    @Test
    void soDidOneThatIsParkedThenAndOneWithALongHistory() {
        first.start();
        UUID token = first.claim();
        first.advance(token, 1, failed());
        pass(Duration.ofDays(7));
        first.intervene(new Event.RunRedriven("ann", "mended"));
        pass(Duration.ofSeconds(2));
        UUID again = first.claim();
        for (int seq = 3; seq <= 400; seq++) {
            first.advance(again, seq, done(seq));
        }
        first.intervene(new Event.RunParked("STUCK", "as it should"));
        pass(Duration.ofSeconds(3));
        first.intervene(new Event.RunCancelled("ann", "not wanted"));

        first.assertDurations(2, Duration.ofSeconds(5));
    }

    /** The second has the run's card from before it failed, and its worker came to the first. */
    @Test
    void aRedriveThatOneProcessHasSeenIsKnownToTheOther() {
        first.start();
        second.signal();
        eventually(() -> second.counted("workflow.signals") == 1);
        first.advance(first.claim(), 1, failed());
        pass(Duration.ofDays(7));
        first.intervene(new Event.RunRedriven("ann", "mended"));
        UUID token = first.claim();
        pass(Duration.ofSeconds(2));
        second.advance(token, 3, done(1));
        second.advance(token, 4, new Event.RunCompleted(Json.NULL));

        second.assertDurations(1, Duration.ofSeconds(2));
    }

    @Test
    void oneThatWasNeverRedrivenTookItsTimeFromItsStart() {
        first.start();
        UUID token = first.claim();
        pass(Duration.ofSeconds(2));
        for (int seq = 1; seq <= 150; seq++) {
            second.advance(token, seq, done(seq));
        }
        second.advance(token, 151, new Event.RunCompleted(Json.NULL));

        second.assertDurations(1, Duration.ofSeconds(2));
    }

    @Test
    void aRunIsLookedUpOnceForAllItsSteps() {
        first.start();
        UUID token = first.claim();
        second.advance(token, 1, done(1));
        eventually(() -> second.steps() == 1);
        for (int seq = 2; seq <= 20; seq++) {
            second.advance(token, seq, done(seq));
        }

        assertThat(second.steps()).isEqualTo(20);
        assertThat(reads).hasValue(1);
    }

    @Test
    void whatOneProcessClaimedAndBringsToItsEndIsNotLookedUp() {
        first.start();
        UUID token = first.claim();
        for (int seq = 1; seq <= 20; seq++) {
            first.advance(token, seq, done(seq));
        }
        first.advance(token, 21, new Event.RunCompleted(Json.NULL));

        assertThat(first.counted("workflow.runs.completed")).isEqualTo(1);
        assertThat(reads).hasValue(0);
    }

    @Test
    void signalsThatAFullMailboxRefusesAreCountedByTheirWorkflow() {
        first.start();
        for (int number = 0; number < ROOM; number++) {
            second.signal();
        }
        for (int number = 0; number < 2; number++) {
            assertThat(second.signal())
                    .isInstanceOfSatisfying(
                            Outcome.Refused.class,
                            refused -> assertThat(refused.why()).isEqualTo(Refusal.MAILBOX_FULL));
        }

        eventually(() -> second.counted("perdure.signals.refused") == 2);
        assertThat(second.counted("workflow.signals")).isEqualTo(ROOM);
        assertThat(second.registry
                        .get("perdure.signals.refused")
                        .tag("workflow", "order")
                        .counter()
                        .count())
                .isEqualTo(2);
    }

    @Test
    void whatCannotBeLookedUpIsCountedAsThat() {
        try (MemoryStore empty = new MemoryStore(() -> now, limits)) {
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            Series series = new Series(registry, limits.telemetry());
            StoreMeters meters = new StoreMeters(series);
            Aside aside = Aside.of(environment, 10, PATIENCE, meters::dropped);
            RunCards cards = new RunCards(empty, 10, aside, new Teller(environment, Missed.METER, meters::dropped));
            cards.with(TENANT, RUN, _ -> {
                throw new AssertionError("nobody knows this run");
            });
            cards.close();
            assertThat(registry.get("perdure.telemetry.dropped")
                            .tag("what", "lookup")
                            .counter()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("perdure.telemetry.dropped")
                            .tag("what", "meter")
                            .counter()
                            .count())
                    .isZero();
        }
    }

    /** Who has claimed runs may fail to read them, each time. */
    @Test
    void noMoreClaimsAreRememberedThanThereMayBe() {
        Series series = new Series(new SimpleMeterRegistry(), limits.telemetry());
        StoreMeters meters = new StoreMeters(series);
        Teller teller = new Teller(environment, Missed.METER, meters::dropped);
        try (Aside aside = Aside.of(environment, 10, PATIENCE, meters::dropped)) {
            Observer observer =
                    new Observer(environment, new RunCards(shared, 10, aside, teller), meters, null, null, 2);
            Lease lease = new Lease(environment.ids().token(), Duration.ofSeconds(10));
            for (int number = 0; number < 1_000; number++) {
                RunId run = new RunId(new UUID(5, number));
                observer.claimed(List.of(claimed(run, lease)));
                assertThat(observer.claimed()).containsKey(run).hasSizeLessThanOrEqualTo(2);
            }
        }
    }

    private ClaimedRun claimed(RunId run, Lease lease) {
        return new ClaimedRun(run, ORDER, 1, new Receipt(MessageId.of(run), lease.token()), 0, now);
    }
}
