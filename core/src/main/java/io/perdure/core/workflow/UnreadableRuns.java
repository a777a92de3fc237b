package io.perdure.core.workflow;

import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Store;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.UnreadableHistoryException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.logging.SparingLog;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts how often runs could not be read, and parks those that cannot. A run that failed is left to its lease: it is tried again once that has ended, here
 * or elsewhere, and the store counts it as well. Safe for many threads.
 */
final class UnreadableRuns {
    /** More are forgotten, and found out again. */
    private static final int MOST = 1_000;

    /** What a store may say of one history that it would not say of others: that it takes too long, or is broken. */
    private static final Set<ErrorCode> OF_RUNS =
            Set.of(ErrorCode.STORE_BUSY, ErrorCode.STORE_FAILED, ErrorCode.STORE_DAMAGED);

    private final Store store;
    private final TenantId tenant;
    private final Environment environment;
    private final ClaimedRuns claimed;
    private final ReadBound bound;
    private final int tries;
    private final int lapses;
    private final SparingLog log;
    private final Map<RunId, Integer> failures = new ConcurrentHashMap<>();

    UnreadableRuns(Workflows.Setup setup, ReadBound bound, ClaimedRuns claimed) {
        this.store = setup.store();
        this.tenant = setup.tenant();
        this.environment = setup.environment();
        this.claimed = claimed;
        this.bound = bound;
        this.tries = setup.limits().runs().readTries();
        this.lapses = setup.limits().runs().lapsesBeforeParking();
        this.log = new SparingLog(UnreadableRuns.class, environment);
    }

    /**
     * Whether a failure says something of the runs that were read. Otherwise the store is not there for others either.
     *
     * @param bytes the bound of the read that failed
     */
    boolean isAboutRuns(Throwable why, long bytes) {
        if (!(why instanceof StoreException e)) {
            return true;
        }
        if (!OF_RUNS.contains(e.code())) {
            return false;
        }
        try {
            // Reads what the failed call read, of a run that does not exist.
            store.snapshots(tenant, List.of(environment.ids().runId()), bytes);
            return true;
        } catch (PerdureException away) {
            e.addSuppressed(away);
            return false;
        }
    }

    /** Whether a run is to be read alone, because it could not be read before, or was not together with others. */
    boolean isSuspect(RunId run) {
        return failures.containsKey(run);
    }

    /** A run could not be read together with others. */
    void suspect(RunId run) {
        room();
        failures.putIfAbsent(run, 0);
    }

    /** A run was read. */
    void forget(RunId run) {
        failures.remove(run);
    }

    private void room() {
        if (failures.size() >= MOST) {
            failures.clear();
        }
    }

    /** A run has more than is read here: it is parked, for it would be no smaller the next time. */
    void tooLarge(ClaimedRun run, long size) {
        UnreadableHistoryException why = bound.exceededBy(run.run(), size);
        park(run, why.code().code(), String.valueOf(why.getMessage()), String.valueOf(why.getMessage()));
    }

    /**
     * Whether a run whose leases run out again and again was parked unread. A worker parks one that was read; if that never came to be, reading it is what
     * ends the process.
     */
    boolean parkedUnread(ClaimedRun run) {
        if (run.lapses() <= lapses) {
            return false;
        }
        String why = run.lapses()
                + " leases in a row ran out before the run was read: the process dies or hangs while it reads the run.";
        park(run, "lapsed", why, why);
        return true;
    }

    /** A run could not be read alone. */
    void failed(ClaimedRun run, Throwable why) {
        room();
        int failed = failures.merge(run.run(), 1, Integer::sum);
        boolean newer = why instanceof PerdureException e && e.code() == ErrorCode.UNKNOWN_EVENT;
        // A process of the release that wrote the event can read it.
        if (run.lapses() >= lapses || (failed >= tries && !newer)) {
            park(run, reason(why), "After " + failed + " tries to read it: " + detail(why), logged(why));
        } else {
            log.log(
                    System.Logger.Level.WARNING,
                    () -> "Run " + run.run() + " cannot go on, and is read again once its lease has ended. "
                            + logged(why));
        }
    }

    private void park(ClaimedRun run, String reason, String detail, String logged) {
        claimed.park(run, reason, detail, logged);
        forget(run.run());
    }

    private static String reason(Throwable why) {
        ErrorCode code = switch (why) {
            case PerdureException e -> e.code();
            case OutOfMemoryError _ -> ErrorCode.HISTORY_TOO_LARGE;
            default -> ErrorCode.FAULT;
        };
        return code.code();
    }

    private static String detail(Throwable why) {
        return switch (why) {
            case PerdureException e -> String.valueOf(e.getMessage());
            case OutOfMemoryError e ->
                e + "; this process has a heap of "
                        + ReadBound.count(Runtime.getRuntime().maxMemory()) + " bytes, which -Xmx raises.";
            default -> why.toString();
        };
    }

    private static String logged(Throwable why) {
        return why instanceof UnreadableHistoryException e ? e.logged() : detail(why);
    }
}
