package io.perdure.core.store;

import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.sdk.UnreadableHistoryException;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer to {@link Store#take}.
 *
 * @param unreadable runs that are leased now and whose history cannot be read, with what is wrong with it
 * @param nextReady as in {@link Claimed}
 */
public record Taken(
        List<TakenRun> runs,
        Map<RunId, UnreadableHistoryException> unreadable,
        @Nullable Instant nextReady) {
    /** Nothing was taken, and nothing is known of when something will be due. */
    public static final Taken NOTHING = new Taken(List.of(), Map.of(), null);

    public Taken {
        runs = List.copyOf(runs);
        unreadable = Map.copyOf(unreadable);
    }

    /**
     * A run that is now leased, with all that is needed to go on with it, as it was at one moment after that.
     *
     * @param wakes how many signals it was sent
     * @param history all events, {@code RunCreated} first
     * @param mailbox the signals not yet taken, in the order they came
     */
    public record TakenRun(
            ClaimedRun claimed,
            @Nullable Instant deadline,
            long wakes,
            List<Recorded> history,
            List<MailboxEntry> mailbox) {
        public TakenRun {
            history = List.copyOf(history);
            mailbox = List.copyOf(mailbox);
        }
    }

    /** Claims, and reads what was claimed. A run that ended in between is left out: its lease is gone with it. */
    public static Taken by(Store store, ClaimRuns request) {
        Claimed claimed = store.claim(request);
        if (claimed.runs().isEmpty()) {
            return new Taken(List.of(), Map.of(), claimed.nextReady());
        }
        Map<RunId, UnreadableHistoryException> unreadable = new HashMap<>();
        Map<RunId, RunSnapshot> snapshots = new HashMap<>();
        List<RunId> ids = claimed.runs().stream().map(ClaimedRun::run).toList();
        for (RunSnapshot snapshot : readable(store, request.tenant(), ids, unreadable)) {
            snapshots.put(snapshot.run().id(), snapshot);
        }
        List<TakenRun> runs = new ArrayList<>(ids.size());
        for (ClaimedRun run : claimed.runs()) {
            RunSnapshot snapshot = snapshots.get(run.run());
            if (snapshot != null && snapshot.run().status() == RunStatus.RUNNING) {
                RunRow row = snapshot.run();
                runs.add(new TakenRun(run, row.deadline(), row.wakes(), snapshot.history(), snapshot.mailbox()));
            }
        }
        return new Taken(runs, unreadable, claimed.nextReady());
    }

    /** One that cannot be read keeps none of the others from being read. */
    private static List<RunSnapshot> readable(
            Store store, TenantId tenant, List<RunId> runs, Map<RunId, UnreadableHistoryException> unreadable) {
        try {
            return store.snapshots(tenant, runs);
        } catch (UnreadableHistoryException e) {
            if (runs.size() == 1) {
                unreadable.put(runs.getFirst(), e);
                return List.of();
            }
            return runs.stream()
                    .flatMap(run -> readable(store, tenant, List.of(run), unreadable).stream())
                    .toList();
        }
    }
}
