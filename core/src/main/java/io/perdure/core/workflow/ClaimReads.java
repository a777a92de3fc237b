package io.perdure.core.workflow;

import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.SizedSnapshots;
import io.perdure.core.store.Store;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.UnreadableHistoryException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads what is needed to go on with the runs of a claim, some at a time, and a bounded number of bytes each time. A run that has more by itself is left to
 * {@link LargeRuns}. A history that cannot be read keeps its own run from going on and no other: what was to be read together with it is read one by
 * one, after all else. What stood beside one is read so at the next claim, too, until it was read: there may have been no time for it.
 *
 * <p>Reading ends when half of the lease is over, when as much was read as one run may have, or when the taker takes no more. Safe for many threads.
 */
final class ClaimReads {
    /** Few enough that a failure concerns few of them, and enough that a claim of a thousand is no thousand reads. */
    static final int TOGETHER = 50;

    private final Store store;
    private final TenantId tenant;
    private final Environment environment;
    private final Duration atMost;
    private final long bytesTogether;
    private final ReadBound bound;
    private final UnreadableRuns unreadable;
    private final LargeRuns large;
    private final ClaimedRuns claimed;

    ClaimReads(
            Workflows.Setup setup, ReadBound bound, UnreadableRuns unreadable, LargeRuns large, ClaimedRuns claimed) {
        this.store = setup.store();
        this.tenant = setup.tenant();
        this.environment = setup.environment();
        this.atMost = setup.limits().runs().lease().dividedBy(2);
        this.bytesTogether = Math.min(setup.limits().calls().readBytes(), bound.bytes());
        this.bound = bound;
        this.unreadable = unreadable;
        this.large = large;
        this.claimed = claimed;
    }

    /**
     * Reads runs whose claim began then, and offers those that go on to a taker; once it takes one no more, it is offered none. If this throws because the
     * store is away, all of them were let go of for a second, those that were taken too.
     *
     * @return the runs that are leased and were not taken, read or not; without those that cannot be read, whose leases run out, and those that are read
     *     aside
     */
    List<ClaimedRun> read(List<ClaimedRun> runs, long askedNanos, BiPredicate<ClaimedRun, RunSnapshot> taker) {
        return new Reading(askedNanos + atMost.toNanos(), taker).read(runs);
    }

    /** The reading of one claim. */
    private final class Reading {
        private final long untilNanos;
        private final BiPredicate<ClaimedRun, RunSnapshot> taker;
        private final List<ClaimedRun> oneByOne = new ArrayList<>();
        private final List<ClaimedRun> left = new ArrayList<>();

        /** Those that are leased for this claim, taken or not; without those that are parked, read aside, or left to their leases. */
        private final Map<RunId, ClaimedRun> held = new LinkedHashMap<>();

        /** Those that did not fit into a read with others before them. */
        private List<ClaimedRun> again = new ArrayList<>();

        private long bytes;
        private boolean anyRead;
        private boolean full;

        Reading(long untilNanos, BiPredicate<ClaimedRun, RunSnapshot> taker) {
            this.untilNanos = untilNanos;
            this.taker = taker;
        }

        List<ClaimedRun> read(List<ClaimedRun> runs) {
            runs.forEach(run -> held.put(run.run(), run));
            try {
                return readAll(runs);
            } catch (PerdureException e) {
                // The claim fails, so what was taken does not begin. Left to their leases, healthy runs would be
                // charged with a lapse. Other exceptions may come from one of the runs, so their lapses are to count.
                claimed.postpone(List.copyOf(held.values()));
                throw e;
            }
        }

        private List<ClaimedRun> readAll(List<ClaimedRun> runs) {
            List<ClaimedRun> suspected = new ArrayList<>();
            List<ClaimedRun> others = new ArrayList<>(runs.size());
            for (ClaimedRun run : runs) {
                if (unreadable.parkedUnread(run)) {
                    held.remove(run.run());
                } else {
                    (unreadable.isSuspect(run.run()) ? suspected : others).add(run);
                }
            }
            while (!others.isEmpty()) {
                for (int from = 0; from < others.size(); from += TOGETHER) {
                    some(others.subList(from, Math.min(others.size(), from + TOGETHER)));
                }
                others = again;
                again = new ArrayList<>();
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
            SizedSnapshots found = found(runs);
            if (found != null) {
                offer(runs, found);
            }
        }

        /** Null if they could not be read. */
        private @Nullable SizedSnapshots found(List<ClaimedRun> runs) {
            try {
                return store.snapshots(
                        tenant, runs.stream().map(ClaimedRun::run).toList(), bytesTogether);
            } catch (UnreadableHistoryException e) {
                failed(runs, e);
            } catch (StoreException e) {
                // If the store does not answer for other runs either, the failure says nothing of these.
                if (!unreadable.isAboutRuns(e, bytesTogether)) {
                    throw e;
                }
                failed(runs, e);
            } catch (OutOfMemoryError e) {
                // What was read before may have the memory, so nothing more is read. Counted all the same: a run that
                // is always read last would never be parked.
                full = anyRead;
                failed(runs, e);
            }
            return null;
        }

        private void failed(List<ClaimedRun> runs, Throwable why) {
            if (runs.size() > 1) {
                runs.forEach(run -> unreadable.suspect(run.run()));
                oneByOne.addAll(runs);
            } else {
                held.remove(runs.getFirst().run());
                unreadable.failed(runs.getFirst(), why);
            }
        }

        private void offer(List<ClaimedRun> runs, SizedSnapshots found) {
            anyRead = true;
            Map<RunId, RunSnapshot> snapshots = found.read().stream()
                    .collect(Collectors.toMap(snapshot -> snapshot.run().id(), Function.identity()));
            for (ClaimedRun run : runs) {
                long size = found.bytes().getOrDefault(run.run(), 0L);
                RunSnapshot snapshot = snapshots.get(run.run());
                if (snapshot != null) {
                    bytes += size;
                    offer(run, snapshot);
                } else if (size > bound.bytes()) {
                    held.remove(run.run());
                    unreadable.tooLarge(run, size);
                } else if (size > bytesTogether) {
                    held.remove(run.run());
                    large.read(run, size);
                } else if (size > 0) {
                    again.add(run);
                }
            }
            full = full || bytes > bound.bytes();
        }

        private void offer(ClaimedRun run, RunSnapshot snapshot) {
            unreadable.forget(run.run());
            // Cancelled or parked since the claim: the lease is gone with it.
            if (snapshot.run().status() != RunStatus.RUNNING) {
                held.remove(run.run());
                return;
            }
            try {
                full = full || !taker.test(run, snapshot);
            } catch (OutOfMemoryError e) {
                // A taker may copy it. What was taken before stays taken.
                full = true;
                held.remove(run.run());
                unreadable.failed(run, e);
                return;
            }
            if (full) {
                left.add(run);
            }
        }
    }
}
