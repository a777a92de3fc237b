package io.perdure.store.sqlite;

import io.perdure.sdk.StoreException;
import java.lang.System.Logger.Level;

/**
 * Keeps file and log from growing without bound. Everything here runs on the writer's thread between transactions, after the
 * callers were answered.
 *
 * <ul>
 *   <li><b>The log</b> is copied back into the file whenever it has {@value #CHECKPOINT_FRAMES} pages. Where a reader of
 *       another program keeps it from being used again from its start and it reaches {@value #TRUNCATE_FRAMES}, the writer
 *       insists, and waits for that reader as long as for any other lock.
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

    private static final System.Logger LOG = System.getLogger(Upkeep.class.getName());

    private boolean dirty;
    private long quietNanos = System.nanoTime();

    /** How long the writer may sleep. */
    long idleMillis(boolean watched) {
        return watched ? LOOK_MILLIS : dirty ? QUIET_MILLIS : NOTHING_TO_DO_MILLIS;
    }

    void afterCommit(Session session) {
        dirty = true;
        quietNanos = System.nanoTime();
        long frames = logFrames(session, "NOOP");
        if (frames >= TRUNCATE_FRAMES) {
            logFrames(session, "TRUNCATE");
        } else if (frames >= CHECKPOINT_FRAMES) {
            logFrames(session, "PASSIVE");
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
        logFrames(session, "TRUNCATE");
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
        LOG.log(Level.WARNING, "Could not " + what + " now; it is tried again later.", why);
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
