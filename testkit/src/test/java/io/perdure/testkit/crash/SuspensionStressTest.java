package io.perdure.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.core.store.Batch;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.core.store.SizedSnapshots;
import io.perdure.core.store.Store;
import io.perdure.core.store.memory.MemoryStore;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.worker.Release;
import io.perdure.testkit.Exhaustive;
import io.perdure.testkit.ForwardingStore;
import io.perdure.testkit.crash.SuspensionStress.Order;
import io.perdure.testkit.crash.SuspensionStress.Views;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The stress of suspensions passes a sound store, and catches one that loses what comes at the moment of suspension. */
@Exhaustive
@Timeout(180)
final class SuspensionStressTest {
    private static final int SUSPENSIONS = 3_000;
    private static final int AT_ONCE = 50;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** A run that hangs is waited for in vain for so long. */
    private static final Duration SHORT = Duration.ofSeconds(5);

    private static Store sound() {
        return new MemoryStore(new SystemEnvironment().clock(), Limits.defaults());
    }

    private static AttackedStore.Tally attacked(Store store, Duration patience) {
        try (store) {
            return new SuspensionStress(new Order(7, SUSPENSIONS, AT_ONCE, patience))
                    .over(new Views(store, store, store));
        }
    }

    private static void assertCaught(Store store, Duration patience, String how) {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> attacked(store, patience))
                .withMessageContaining("-Dperdure.seed=7")
                .withMessageContaining(how);
    }

    @Test
    void aSoundStorePasses() {
        assertThat(attacked(sound(), PATIENCE).all.sum()).isGreaterThanOrEqualTo(SUSPENSIONS);
    }

    @Test
    void aStoreThatDoesNotLookAtTheWakesOfAReleaseIsCaught() {
        assertCaught(
                new Releasing(sound()) {
                    @Override
                    Release bent(Advance advance, Release release) {
                        long newest = store.run(advance.tenant(), advance.run())
                                .orElseThrow()
                                .wakes();
                        return new Release(release.ready(), release.wakeOn(), newest);
                    }
                },
                SHORT,
                "is running after a wait");
    }

    @Test
    void aStoreWhoseSignalsMakeNobodyDueIsCaught() {
        assertCaught(
                new Releasing(sound()) {
                    @Override
                    Release bent(Advance advance, Release release) {
                        return new Release(release.ready(), Set.of(new EventName("nothing")), release.wakes());
                    }
                },
                SHORT,
                "is running after a wait");
    }

    @Test
    void aStoreThatLosesASignalNobodyWaitsForIsCaught() {
        assertCaught(
                new ForwardingStore(sound()) {
                    @Override
                    public SizedSnapshots snapshots(TenantId tenant, List<RunId> runs, long bytes) {
                        SizedSnapshots found = store.snapshots(tenant, runs, bytes);
                        return new SizedSnapshots(
                                found.read().stream()
                                        .map(SuspensionStressTest::forgetful)
                                        .toList(),
                                found.bytes());
                    }
                },
                PATIENCE,
                "taken and left");
    }

    private static RunSnapshot forgetful(RunSnapshot run) {
        List<MailboxEntry> left = run.mailbox().stream()
                .filter(entry -> !entry.event().value().equals(Waiter.OTHER_EVENT))
                .toList();
        return new RunSnapshot(run.run(), run.history(), left, run.message());
    }

    /** Bends how runs are let go of that wait for events. */
    private abstract static class Releasing extends ForwardingStore {
        Releasing(Store store) {
            super(store);
        }

        abstract Release bent(Advance advance, Release release);

        @Override
        public List<Outcome> commit(Batch batch) {
            List<Commit> commits = batch.commits().stream().map(this::bent).toList();
            return store.commit(new Batch(batch.lane(), batch.number(), commits));
        }

        private Commit bent(Commit commit) {
            if (commit instanceof Advance advance
                    && advance.release() != null
                    && !advance.release().wakeOn().isEmpty()) {
                return new Advance(
                        advance.tenant(),
                        advance.run(),
                        advance.token(),
                        advance.seq(),
                        advance.events(),
                        advance.sends(),
                        bent(advance, advance.release()));
            }
            return commit;
        }
    }
}
