package io.perdure.core.workflow;

import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.Store;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.UnreadableHistoryException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.logging.SparingLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads what is needed to go on with the runs of a claim, some at a time. A history that cannot be read, for its size or otherwise, keeps its own
 * run from going on and no other: what was to be read together with it is read one by one, after all else. What stood beside one is read so at
 * the next claim, too, until it was read: there may have been no time for it.
 *
 * <p>Reading ends when half of the lease is over, or when nobody takes more. Safe for many threads.
 */
final class ClaimReads {
    /** Few enough that a failure concerns few of them, and enough that a claim of a thousand is no thousand reads. */
    static final int TOGETHER = 50;

    /** More are forgotten, and found out again. */
    private static final int MOST_SUSPECTS = 1_000;

    /** What a store may say of one history that it would not say of others: that it takes too long, or is broken. */
    private static final Set<ErrorCode> OF_HISTORIES =
            Set.of(ErrorCode.STORE_BUSY, ErrorCode.STORE_FAILED, ErrorCode.STORE_DAMAGED);

    private final Store store;
    private final TenantId tenant;
    private final Environment environment;
    private final Duration atMost;
    private final SparingLog log;
    private final Set<RunId> suspects = ConcurrentHashMap.newKeySet();

    ClaimReads(Workflows.Setup setup) {
        this.store = setup.store();
        this.tenant = setup.tenant();
        this.environment = setup.environment();
        this.atMost = setup.limits().runs().lease().dividedBy(2);
        this.log = new SparingLog(ClaimReads.class, environment);
    }

    /**
     * Reads runs whose claim began then, and offers those that go on to a taker; once it takes one no more, it is offered none.
     *
     * @return the runs that are leased and were not taken, read or not; without those that cannot be read, whose leases run out
     */
    List<ClaimedRun> read(List<ClaimedRun> runs, long askedNanos, BiPredicate<ClaimedRun, RunSnapshot> taker) {
        return new Reading(askedNanos + atMost.toNanos(), taker).read(runs);
    }

    private void suspect(RunId run) {
        if (suspects.size() >= MOST_SUSPECTS) {
            suspects.clear();
        }
        suspects.add(run);
    }

    /** The reading of one claim. */
    private final class Reading {
        private final long untilNanos;
        private final BiPredicate<ClaimedRun, RunSnapshot> taker;
        private final List<ClaimedRun> oneByOne = new ArrayList<>();
        private final List<ClaimedRun> left = new ArrayList<>();
        private boolean anyRead;
        private boolean full;

        Reading(long untilNanos, BiPredicate<ClaimedRun, RunSnapshot> taker) {
            this.untilNanos = untilNanos;
            this.taker = taker;
        }

        List<ClaimedRun> read(List<ClaimedRun> runs) {
            List<ClaimedRun> suspected = new ArrayList<>();
            List<ClaimedRun> others = new ArrayList<>(runs.size());
            runs.forEach(run -> (suspects.contains(run.run()) ? suspected : others).add(run));
            for (int from = 0; from < others.size(); from += TOGETHER) {
                some(others.subList(from, Math.min(others.size(), from + TOGETHER)));
            }
            oneByOne.addAll(suspected);
            oneByOne.forEach(run -> some(List.of(run)));
            return left;
        }

        private void some(List<ClaimedRun> runs) {
            if (full || environment.nanoTime() - untilNanos >= 0) {
                left.addAll(runs);
                return;
            }
            List<RunSnapshot> found;
            try {
                found = store.snapshots(
                        tenant, runs.stream().map(ClaimedRun::run).toList());
            } catch (UnreadableHistoryException e) {
                failed(runs, e.logged());
                return;
            } catch (StoreException e) {
                requireAboutHistories(e);
                failed(runs, String.valueOf(e.getMessage()));
                return;
            } catch (OutOfMemoryError e) {
                // What was read before has it.
                full = anyRead;
                failed(runs, e.toString());
                return;
            }
            offer(runs, found);
        }

        /** Throws where the store is not there for others either: then there is nobody to be told apart. */
        private void requireAboutHistories(StoreException e) {
            if (!OF_HISTORIES.contains(e.code())) {
                throw e;
            }
            if (!anyRead) {
                try {
                    store.now();
                } catch (PerdureException away) {
                    away.addSuppressed(e);
                    throw away;
                }
            }
        }

        private void failed(List<ClaimedRun> runs, String why) {
            runs.forEach(run -> suspect(run.run()));
            if (runs.size() > 1) {
                oneByOne.addAll(runs);
            } else {
                log.log(
                        System.Logger.Level.WARNING,
                        () -> "Run " + runs.getFirst().run() + " cannot go on. " + why);
            }
        }

        private void offer(List<ClaimedRun> runs, List<RunSnapshot> found) {
            anyRead = true;
            Map<RunId, RunSnapshot> snapshots = found.stream()
                    .collect(Collectors.toMap(snapshot -> snapshot.run().id(), Function.identity()));
            for (ClaimedRun run : runs) {
                suspects.remove(run.run());
                RunSnapshot snapshot = snapshots.get(run.run());
                // Cancelled or parked since the claim: the lease is gone with it.
                if (snapshot != null && snapshot.run().status() == RunStatus.RUNNING) {
                    full = full || !taker.test(run, snapshot);
                    if (full) {
                        left.add(run);
                    }
                }
            }
        }
    }
}
