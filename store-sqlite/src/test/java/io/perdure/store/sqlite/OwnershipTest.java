package io.perdure.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.core.store.Batch;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.LaneId;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.core.store.RunCommit.Definition;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.core.store.RunCommit.StartOptions;
import io.perdure.core.store.Store;
import io.perdure.core.store.Store.Ownership;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.Ids;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.worker.Claim.Served;
import io.perdure.sdk.worker.Release;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One process runs the workers of a file; what a dead one left goes on at once. */
final class OwnershipTest {
    private static final TenantId TENANT = new TenantId("acme");
    private static final WorkflowName WORKFLOW = new WorkflowName("onboard");
    private static final Ids IDS = new SystemEnvironment().ids();

    @TempDir
    Path folder;

    private Store open() {
        DatabaseFile file = DatabaseFile.at(folder.resolve("app.db"));
        return SqliteStore.open(file, new SystemEnvironment().clock(), Limits.defaults());
    }

    private static void startRun(Store store) {
        startRun(store, null);
    }

    private static void startRun(Store store, @Nullable Lease lease) {
        Start start = new Start(
                TENANT,
                IDS.runId(),
                new Definition(WORKFLOW, 1, null, Json.NULL, Map.of()),
                Due.atOnce(),
                lease,
                new StartOptions(null, null, Due.never(), Map.of(), 30, null));
        assertThat(commit(store, start)).isInstanceOf(Outcome.Started.class);
    }

    private static Outcome commit(Store store, Commit commit) {
        ProcessId process = IDS.processId();
        store.openLanes(process, 1);
        return store.commit(new Batch(new LaneId(process, 0), 1, List.of(commit)))
                .getFirst();
    }

    private static List<ClaimedRun> claim(Store store) {
        return claim(store, Lease.Holder.THIS_PROCESS);
    }

    private static List<ClaimedRun> claim(Store store, Lease.Holder holder) {
        Lease lease = new Lease(IDS.token(), Duration.ofHours(1), holder);
        return store.claim(new ClaimRuns(TENANT, List.of(new Served(WORKFLOW, Set.of(1))), 10, lease))
                .runs();
    }

    @Test
    void theRunsOfADeadOwnerGoOnAtOnceAndItsLeasesCountAsRunOut() {
        try (Store dead = open()) {
            startRun(dead);
            assertThat(claim(dead)).hasSize(1);
        }
        try (Store next = open()) {
            assertThat(claim(next)).isEmpty();
            try (Ownership ownership = next.own()) {
                assertThat(ownership).isNotNull();
                assertThat(claim(next))
                        .singleElement()
                        .extracting(ClaimedRun::lapses)
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void own_whileRemoteWorkersHoldRuns_freesOnlyTheLeasesOfTheDeadOwner() {
        List<ClaimedRun> remote;
        List<ClaimedRun> own;
        try (Store dead = open()) {
            startRun(dead, new Lease(IDS.token(), Duration.ofHours(1), Lease.Holder.REMOTE_WORKER));
            startRun(dead, new Lease(IDS.token(), Duration.ofHours(1)));
            startRun(dead);
            remote = claim(dead, Lease.Holder.REMOTE_WORKER);
            startRun(dead);
            own = claim(dead);
            assertThat(remote).hasSize(1);
            assertThat(own).hasSize(1);
        }
        try (Store next = open();
                Ownership _ = next.own()) {
            assertThat(claim(next))
                    .hasSize(2)
                    .extracting(ClaimedRun::run)
                    .contains(own.getFirst().run());
            Extend extend = new Extend(TENANT, remote.getFirst().receipt(), Duration.ofHours(1));
            assertThat(next.extend(List.of(extend))).hasExactlyElementsOfTypes(Extended.Until.class);
        }
    }

    @Test
    void own_afterARunWentFromARemoteWorkerToTheDeadOwner_freesItsLease() {
        try (Store dead = open()) {
            startRun(dead);
            Receipt receipt = claim(dead, Lease.Holder.REMOTE_WORKER).getFirst().receipt();
            letGo(dead, receipt);
            assertThat(claim(dead)).hasSize(1);
        }
        try (Store next = open();
                Ownership _ = next.own()) {
            assertThat(claim(next)).hasSize(1);
        }
    }

    private static void letGo(Store store, Receipt receipt) {
        commit(
                store,
                new Advance(
                        TENANT,
                        new RunId(receipt.message().value()),
                        receipt.token(),
                        1,
                        List.of(),
                        List.of(),
                        Release.until(Due.atOnce())));
    }

    @Test
    void whileOneOwnsNobodyElseDoes() {
        try (Store one = open();
                Store other = open()) {
            Ownership ownership = one.own();
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(other::own)
                    .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(ErrorCode.STORE_OWNED));
            ownership.close();
            other.own().close();
        }
    }

    @Test
    void lettingGoTwiceDoesNotLetGoOfWhatWasTakenSince() {
        try (Store one = open();
                Store other = open()) {
            Ownership first = one.own();
            first.close();
            try (Ownership second = one.own()) {
                first.close();
                assertThat(second).isNotNull();
                assertThatExceptionOfType(StoreException.class).isThrownBy(other::own);
            }
        }
    }

    /** The workers of two tenants share the lock: one closes, or fails to start, while steps of the other are running. */
    @Test
    void close_ofOneOfTwoOwnerships_keepsTheLockUntilTheOtherIsClosed() {
        try (Store store = open();
                Store next = open()) {
            Ownership first = store.own();
            Ownership second = store.own();

            first.close();
            first.close();

            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(next::own)
                    .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(ErrorCode.STORE_OWNED));
            second.close();
            next.own().close();
        }
    }

    @Test
    void askingAgainFreesNoLeaseOfTheOwnerItself() {
        try (Store store = open()) {
            try (Ownership first = store.own()) {
                assertThat(first).isNotNull();
                startRun(store);
                assertThat(claim(store)).hasSize(1);
                store.own();
                assertThat(claim(store)).isEmpty();
            }
        }
    }

    @Test
    void aClosedStoreOwnsNothing() {
        Store closed = open();
        closed.own();
        closed.close();
        try (Store store = open()) {
            store.own().close();
        }
    }
}
