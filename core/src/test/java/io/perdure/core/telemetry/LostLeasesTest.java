package io.perdure.core.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.perdure.core.store.Batch;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.LaneId;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.Store;
import io.perdure.core.store.memory.MemoryStore;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.worker.Release;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How often a lease is counted that its holder hears of more than once. */
class LostLeasesTest {
    private static final TenantId TENANT = TenantId.DEFAULT;
    private static final RunId RUN = new RunId(new UUID(1, 1));
    private static final ProcessId PROCESS = new ProcessId(new UUID(2, 2));

    private final SystemEnvironment environment = new SystemEnvironment();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Telemetry telemetry = new Telemetry(new Telemetry.Watchers(registry, null));
    private final Store store =
            telemetry.over(new MemoryStore(environment.clock(), Limits.defaults()), environment, () -> List.of(TENANT));
    private long batch;

    @BeforeEach
    void open() {
        store.openLanes(PROCESS, 1);
    }

    @AfterEach
    void close() {
        telemetry.close();
        store.close();
    }

    private Outcome commit(Commit commit) {
        return store.commit(new Batch(new LaneId(PROCESS, 0), ++batch, List.of(commit)))
                .getFirst();
    }

    private Extended extend(Receipt receipt) {
        return store.extend(List.of(new Extend(TENANT, receipt, Duration.ofSeconds(10))))
                .getFirst();
    }

    private double lost(String of) {
        return registry.get("perdure.leases.lost").tag("of", of).counter().count();
    }

    private static Receipt receipt(MessageId message, long token) {
        return new Receipt(message, new UUID(9, token));
    }

    private Outcome release(Receipt lease) {
        return commit(new RunCommit.Advance(
                TENANT, RUN, lease.token(), 1, List.of(), List.of(), Release.until(Due.atOnce())));
    }

    private void start() {
        commit(new RunCommit.Start(
                TENANT,
                RUN,
                new RunCommit.Definition(new WorkflowName("order"), 1, null, Json.of("1"), Map.of()),
                Due.atOnce(),
                null,
                new RunCommit.StartOptions(null, null, Due.never(), Map.of(), 1, null)));
    }

    @Test
    void theLeaseOfARunIsLostOnceThoughItsHolderExtendsAndCommits() {
        start();
        Receipt first = receipt(MessageId.of(RUN), 1);
        assertThat(extend(first)).isEqualTo(new Extended.Lost(RunStatus.RUNNING));
        extend(first);
        assertThat(release(first)).isEqualTo(new Outcome.LeaseLost(RunStatus.RUNNING));
        assertThat(lost("run")).isEqualTo(1);
        Receipt second = receipt(MessageId.of(RUN), 2);
        release(second);
        extend(second);
        assertThat(lost("run")).isEqualTo(2);
        assertThat(lost("message")).isZero();
    }

    @Test
    void aLeaseThatACancelTookIsNotLostHoweverItsHolderLearnsOfIt() {
        start();
        commit(new RunCommit.Intervene(TENANT, RUN, new Event.RunCancelled("ann", "not wanted")));
        Receipt taken = receipt(MessageId.of(RUN), 1);
        assertThat(extend(taken)).isEqualTo(new Extended.Lost(RunStatus.CANCELLED));
        release(taken);
        assertThat(lost("run")).isZero();
    }

    @Test
    void theLeaseOfAMessageIsLostOnceThoughItsHolderExtendsAndAnswers() {
        MessageId message = new MessageId(new UUID(3, 3));
        Receipt lease = receipt(message, 1);
        Commit done = new QueueCommit.Settle(TENANT, lease, new QueueCommit.Verdict.Done());
        assertThat(extend(new Receipt(message, lease.token(), 17))).isEqualTo(new Extended.Lost(null));
        assertThat(commit(done)).isEqualTo(new Outcome.LeaseLost(null));
        commit(done);
        assertThat(lost("message")).isEqualTo(1);
        extend(receipt(message, 2));
        assertThat(lost("message")).isEqualTo(2);
        assertThat(lost("run")).isZero();
    }

    @Test
    void noMoreAreRememberedThanThereMayBe() {
        LostLeases leases = new LostLeases(2);
        for (int token = 1; token <= 1_000; token++) {
            Receipt lease = receipt(MessageId.of(RUN), token);
            assertThat(leases.add(lease)).isTrue();
            assertThat(leases.add(lease)).isFalse();
            assertThat(leases.size()).isLessThanOrEqualTo(2);
        }
    }
}
