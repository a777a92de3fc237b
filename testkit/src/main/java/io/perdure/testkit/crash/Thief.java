package io.perdure.testkit.crash;

import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Extend;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Ledger;
import io.perdure.core.store.Pending;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.Store;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.worker.Claim;
import io.perdure.sdk.worker.Release;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Lets the lease of a suspending worker run out before its time, and may take the run as another worker would, with whatever else
 * is due; what it took it gives back at once. No worker shortens a lease. Stores may rest on that for steps that keep theirs, which
 * are read without a lock; there are none among the commits of a {@link Waiter}, which all let go or take a signal.
 */
final class Thief implements AutoCloseable {
    private static final Duration MOMENT = Duration.ofNanos(1_000);
    private static final List<Claim.Served> SERVED =
            List.of(new Claim.Served(new WorkflowName(Waiter.NAME), Set.of(1)));
    private static final int MOST = 50;

    private final Environment environment = new SystemEnvironment();
    private final Store store;
    private final Ledger ledger;

    Thief(Store store) {
        this.store = store;
        this.ledger = Ledger.open(store, environment, Limits.defaults());
    }

    /** Ends the lease; who holds the run is not told. */
    void expire(Advance held) {
        Receipt receipt = new Receipt(MessageId.of(held.run()), held.token());
        store.extend(List.of(new Extend(held.tenant(), receipt, MOMENT)));
    }

    /** Ends the lease, and takes the run. */
    void steal(Advance held) {
        expire(held);
        Lease lease =
                new Lease(environment.ids().token(), Limits.defaults().runs().lease());
        List<RunId> taken = store.claim(new ClaimRuns(held.tenant(), SERVED, MOST, lease)).runs().stream()
                .map(ClaimedRun::run)
                .toList();
        List<Pending> given = store.snapshots(held.tenant(), taken).stream()
                .map(run -> ledger.hand(release(held.tenant(), run, lease)))
                .toList();
        given.forEach(Pending::await);
    }

    private static Advance release(TenantId tenant, RunSnapshot run, Lease lease) {
        return new Advance(
                tenant,
                run.run().id(),
                lease.token(),
                run.last() + 1,
                List.of(),
                List.of(),
                Release.until(Due.atOnce()));
    }

    @Override
    public void close() {
        ledger.close();
    }
}
