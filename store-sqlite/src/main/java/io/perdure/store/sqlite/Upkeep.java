package io.perdure.store.sqlite;

import io.perdure.sdk.StoreException;
import io.perdure.sdk.logging.Logs;
import java.lang.System.Logger.Level;

/**
 * Keeps file and log from growing without bound. Everything here runs on the writer's thread between transactions, after the
 * callers were answered.
 *
 * <ul>
 *   <li><b>The log</b> is copied back into the file whenever it has {@value #CHECKPOINT_FRAMES} pages. Where a reader of
 *       another program keeps it from being used again from its start, that is done again every {@value #CHECKPOINT_STEP} pages;
 *       and once it has {@value #TRUNCATE_FRAMES} the writer insists every minute, and waits {@value #TRUNCATE_PATIENCE_MILLIS}
 *       ms for that reader to end.
 *   <li><b>A quiet store</b> copies what is left back after {@value #QUIET_MILLIS} ms, and gives pages that have become free
 *       back to the file system, {@value #VACUUM_PAGES} at a time, once more than {@value #FREE_PAGES} pages and a quarter
 *       of the file are free.
 * </ul>
 */
final class Upkeep {
    private static final int CHECKPOINT_FRAMES = 4_000;
    private static final int TRUNCATE_FRAMES = 64_000;
    private static final int VACUUM_PAGES = 512;
    private static final int FREE_PAGES = 1_024;
    private static final long QUIET_MILLIS = 250;

    /** How often the writer looks whether another process changed the file, while someone waits for that. */
    private static final long LOOK_MILLIS = 5;

    private static final long NOTHING_TO_DO_MILLIS = 60_000;

    private static final System.Logger LOG = Logs.of(Upkeep.class);

    private static final int CHECKPOINT_STEP = 1_000;
    private static final int TRUNCATE_PATIENCE_MILLIS = 200;
    private static final long INSIST_NANOS = 60_000_000_000L;

    private boolean dirty;
    private long copiedFrames;
    private long insistedNanos = System.nanoTime() - INSIST_NANOS;
    private long quietNanos = System.nanoTime();

    /** How long the writer may sleep. */
    long idleMillis(boolean watched) {
        return watched ? LOOK_MILLIS : dirty ? QUIET_MILLIS : NOTHING_TO_DO_MILLIS;
    }

    void afterCommit(Session session) {
        dirty = true;
        quietNanos = System.nanoTime();
        long frames = logFrames(session, "NOOP");
        if (frames >= TRUNCATE_FRAMES && System.nanoTime() - insistedNanos > INSIST_NANOS) {
            truncate(session);
            insistedNanos = System.nanoTime();
        } else if (frames >= CHECKPOINT_FRAMES && (frames < copiedFrames || frames - copiedFrames >= CHECKPOINT_STEP)) {
            logFrames(session, "PASSIVE");
            copiedFrames = frames;
        }
    }

    void whenIdle(Session session) {
        if (!dirty || System.nanoTime() - quietNanos < QUIET_MILLIS * 1_000_000) {
            return;
        }
        logFrames(session, "PASSIVE");
        dirty = vacuum(session);
    }

    void beforeClose(Session session) {
        truncate(session);
    }

    /** Copies all of the log back and empties it. Waits for readers, but not for long: nobody can write meanwhile. */
    private static void truncate(Session session) {
        session.execute("PRAGMA busy_timeout = " + TRUNCATE_PATIENCE_MILLIS);
        logFrames(session, "TRUNCATE");
        session.execute("PRAGMA busy_timeout = " + Pragma.BUSY_TIMEOUT_MILLIS);
    }

    /** Gives free pages back; answers whether there are more. */
    private static boolean vacuum(Session session) {
        try {
            long free = session.number("PRAGMA freelist_count");
            if (free < FREE_PAGES || free * 4 < session.number("PRAGMA page_count")) {
                return false;
            }
            // As a script: the pragma frees a page with every step, and has no column for the driver to ask for more
            // of.
            session.script("PRAGMA incremental_vacuum(" + VACUUM_PAGES + ")");
            return true;
        } catch (StoreException later) {
            return postpone(session, "give free pages back", later) > 0;
        }
    }

    private static long postpone(Session session, String what, StoreException why) {
        session.forgetFailure();
        LOG.log(Level.WARNING, "Could not " + what + " now: " + why.getMessage());
        LOG.log(Level.DEBUG, "Where that came from", why);
        return 0;
    }

    /**
     * Copies the log back, as far as readers allow; answers how many pages it has. A log that cannot be copied back now, for
     * want of room or because someone else does it, is copied back later: nothing rests on when.
     */
    private static long logFrames(Session session, String how) {
        try {
            return session.first("PRAGMA wal_checkpoint(" + how + ")", row -> row.integer(2))
                    .orElseThrow();
        } catch (StoreException later) {
            return postpone(session, "copy the log back", later);
        }
    }
}
