package io.perdure.store.postgres;

import static java.util.Objects.requireNonNull;

import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.ClaimRuns.Line;
import io.perdure.core.store.rows.Times;
import io.perdure.sdk.id.TenantId;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides where claims begin to look in each line. It does no I/O; all times are microseconds of the store's clock, which callers pass in.
 *
 * <p>A claim looks from the oldest entry of the index on. While some long transaction keeps dead entries from being cleaned up, each run that
 * was held leaves its entries behind, and every claim would step over all of them. So a claim that read many pages lets the next ones begin a
 * little before where it found something, as {@link Receives} do. What is behind that, from a slow commit or with a lease that ran out, waits
 * for the next whole look.
 *
 * <p>There may be too many dead entries for one statement. If a whole look ends with a timeout, the next claims begin where the latest short ones
 * did, or a minute ago. After that, looks go further back step by step, until one is whole again or ends with a timeout too. In one claim at most
 * one line is looked at like this, the one that is to be looked at from furthest back, so that no line's dead entries keep the others from that.
 * If the claim has no room left when it comes to this line, and other lines wait for such a look, it is their turn next.
 *
 * <p>It is safe for use by several threads. If two claims change the shortcut of a line at the same time, the first change stays.
 */
final class ClaimShortcuts {
    /** In place of where a look begins, or of what it found first: at the first entry, or nothing, for the line was not looked at. */
    static final long NONE = -1;

    /** Lines for which a shortcut is remembered, at most. A process has one or two for each workflow. */
    private static final int MOST_REMEMBERED = 10_000;

    /** A look that reads more pages of the index is dear: each holds some 150 entries. */
    private static final int DEAR_PAGES = 100;

    /** Pages that a look reads for each line without dead entries, at most. */
    private static final int PAGES_PER_LINE = 10;

    /** How many times as long as a dear look took the next ones are short ones. */
    private static final long MADE_UP = 20;

    /** How long looks are short ones at most, however long the dear one took: so late may a run be that is behind where they begin. */
    private static final long MOST_MICROS = 10_000_000;

    /** How far before the first run found a short look begins: commits are seldom slower. */
    private static final long BEHIND_MICROS = 250_000;

    /** How far back looks begin at least after a look that ended with a timeout, if there was no short one before. */
    private static final long RECENT_MICROS = 60_000_000;

    /** How many times as far back as one that succeeded the next wide look begins. */
    private static final long WIDER = 4;

    private record Key(TenantId tenant, Line line) {}

    /**
     * Where looks into a line begin until some time, and where the one after that begins, which is a wide one.
     *
     * @param until {@link #NONE} if the next look is the wide one
     * @param wide {@link #NONE} for a look at the whole line
     */
    private record Shortcut(long from, long until, long wide) {
        /** Returns whether its time is over, or the clock was set back to before where it begins. */
        boolean isOver(long now) {
            return now >= until || now < from;
        }

        boolean waitsForWideLook() {
            return until == NONE;
        }

        /** Stays for the case that the wide look fails. */
        Shortcut over(long now) {
            return new Shortcut(from, NONE, now < from ? NONE : wide);
        }

        Shortcut lasting(long newUntil) {
            return new Shortcut(from, newUntil, wide);
        }
    }

    /** Where a claim begins in each line. */
    static final class Beginnings {
        private final Map<Line, Shortcut> shortcuts;

        /** The line with a shortcut that is nevertheless looked at from further back. */
        private final @Nullable Line wide;

        private Beginnings(Map<Line, Shortcut> shortcuts, @Nullable Line wide) {
            this.shortcuts = shortcuts;
            this.wide = wide;
        }

        /** Returns the time from which on the claim looks into a line, or {@link #NONE} for all of it. */
        long of(Line line) {
            Shortcut shortcut = shortcuts.get(line);
            if (shortcut == null) {
                return NONE;
            }
            return line.equals(wide) ? shortcut.wide : shortcut.from;
        }

        private boolean isWide(Line line) {
            return line.equals(wide) || !shortcuts.containsKey(line);
        }

        /** Returns whether a timeout comes from the look into this line: the wide one, otherwise those without a shortcut. */
        private boolean isToBlame(Line line) {
            return wide == null ? isWide(line) : line.equals(wide);
        }

        private boolean othersWaitForWideLook() {
            return shortcuts.entrySet().stream()
                    .anyMatch(entry -> entry.getValue().waitsForWideLook()
                            && !entry.getKey().equals(wide));
        }
    }

    /**
     * What a claim says of its look into the lines.
     *
     * @param pages of the index, that it read
     * @param reclaims whether it took lapsed runs. Otherwise it stepped over them, and what it found first says nothing of where they are
     * @param firstReady for each line when the first run that it found was ready, now if it found none, or {@link #NONE}
     * @param nextReady when the next run is due in what it looked at, if there is one
     */
    record LookResult(
            long now,
            long tookMicros,
            long pages,
            boolean reclaims,
            List<Long> firstReady,
            @Nullable Long nextReady) {
        private boolean isDear() {
            return pages > DEAR_PAGES + PAGES_PER_LINE * firstReady.size();
        }

        /** Until when looks are short ones after this one. */
        private long madeUp() {
            return now + Math.min(MOST_MICROS, MADE_UP * tookMicros);
        }
    }

    private final Map<Key, Shortcut> shortcuts = new ConcurrentHashMap<>();

    /** Returns where the next claim begins. */
    Beginnings beginnings(ClaimRuns request) {
        Map<Line, Shortcut> used = new HashMap<>();
        Line wide = null;
        for (Line line : request.lines()) {
            Shortcut shortcut = shortcuts.get(new Key(request.tenant(), line));
            if (shortcut != null) {
                used.put(line, shortcut);
                if (shortcut.waitsForWideLook()
                        && (wide == null || shortcut.wide < requireNonNull(used.get(wide)).wide)) {
                    wide = line;
                }
            }
        }
        return new Beginnings(used, wide);
    }

    /** Returns when to claim next. What is behind a shortcut is not seen: so it is soon after a claim that takes one, at the latest when it ends. */
    static @Nullable Instant nextReady(ClaimRuns request, Beginnings beginnings, LookResult look) {
        OptionalLong ends = request.lines().stream()
                .filter(line -> beginnings.of(line) != NONE)
                .mapToLong(line ->
                        beginnings.isWide(line) ? Long.MAX_VALUE : requireNonNull(beginnings.shortcuts.get(line)).until)
                .min();
        if (ends.isEmpty()) {
            return look.nextReady == null ? null : Times.instant(look.nextReady);
        }
        long soon = Math.min(ends.getAsLong(), look.now + BEHIND_MICROS);
        long next = look.nextReady == null ? soon : Math.min(soon, look.nextReady);
        return Times.instant(Math.max(look.now + 1, next));
    }

    /** Learns from a claim that succeeded. */
    void remember(ClaimRuns request, Beginnings beginnings, LookResult look) {
        List<Line> lines = request.lines();
        for (int line = 0; line < lines.size(); line++) {
            remember(request.tenant(), lines.get(line), beginnings, look, look.firstReady.get(line));
        }
    }

    private void remember(TenantId tenant, Line line, Beginnings beginnings, LookResult look, long firstReady) {
        Key key = new Key(tenant, line);
        Shortcut used = beginnings.shortcuts.get(line);
        if (used == null) {
            if (firstReady != NONE && look.reclaims && look.isDear()) {
                replace(key, null, new Shortcut(firstReady - BEHIND_MICROS, look.madeUp(), NONE));
            }
        } else if (!beginnings.isWide(line)) {
            rememberShort(key, used, look, firstReady);
        } else if (firstReady != NONE) {
            rememberWide(key, used, look, firstReady - BEHIND_MICROS);
        } else if (beginnings.othersWaitForWideLook()) {
            replace(key, used, used.lasting(look.now + MOST_MICROS));
        }
    }

    private void rememberShort(Key key, Shortcut used, LookResult look, long firstReady) {
        if (used.isOver(look.now)) {
            replace(key, used, used.over(look.now));
        } else if (firstReady != NONE && look.reclaims) {
            replace(key, used, new Shortcut(Math.max(used.from, firstReady - BEHIND_MICROS), used.until, used.wide));
        }
    }

    private void rememberWide(Key key, Shortcut used, LookResult look, long from) {
        if (used.wide > look.now) {
            replace(key, used, afterLookAhead(used, look));
        } else if (!look.reclaims) {
            replace(key, used, used.lasting(look.madeUp()));
        } else if (used.wide != NONE) {
            long back = WIDER * (look.now - used.wide);
            replace(key, used, new Shortcut(from, look.madeUp(), back < look.now ? look.now - back : NONE));
        } else if (look.isDear()) {
            replace(key, used, new Shortcut(from, look.madeUp(), NONE));
        } else {
            shortcuts.remove(key, used);
        }
    }

    /**
     * The clock was set back, and the wide look began ahead of it. Such a look finds nothing, wherever the runs are: the next wide one is a whole
     * one, and it comes at once if short looks would begin ahead of the clock too.
     */
    private static Shortcut afterLookAhead(Shortcut used, LookResult look) {
        return new Shortcut(used.from, used.from > look.now ? NONE : look.madeUp(), NONE);
    }

    /**
     * Has the next claims begin where less is dead, after a look that ended with a timeout. That was because of the lines that it looked at from
     * far back; if there are none, a worker has not claimed for long and its shortcuts have become old. All lines have short looks for a while: wide
     * ones that time out must not make up most of the time, however many lines there are.
     *
     * @param now read after the timeout
     */
    void beginLater(ClaimRuns request, Beginnings beginnings, long now) {
        boolean allShort = request.lines().stream().noneMatch(beginnings::isWide);
        long until = now + MOST_MICROS;
        for (Line line : request.lines()) {
            Key key = new Key(request.tenant(), line);
            Shortcut used = beginnings.shortcuts.get(line);
            if (allShort || beginnings.isToBlame(line)) {
                long from = shortAfterTimeout(used, allShort, now);
                replace(key, used, new Shortcut(from, until, wideAfterTimeout(beginnings.of(line), from, now)));
            } else if (used != null) {
                replace(key, used, used.lasting(until));
            }
        }
    }

    private static long shortAfterTimeout(@Nullable Shortcut used, boolean allShort, long now) {
        long recent = now - RECENT_MICROS;
        if (used == null || used.from > now) {
            return recent;
        }
        return allShort ? Math.max(used.from, recent) : used.from;
    }

    /** After a whole look, the next wide one goes somewhat further back than short ones; after another, half as far back as that. */
    private static long wideAfterTimeout(long began, long from, long now) {
        if (began == NONE) {
            return now - WIDER * Math.max(RECENT_MICROS, now - from);
        }
        return now - Math.max(RECENT_MICROS, (now - began) / 2);
    }

    private void replace(Key key, @Nullable Shortcut used, Shortcut by) {
        if (used != null) {
            shortcuts.replace(key, used, by);
            return;
        }
        if (shortcuts.size() >= MOST_REMEMBERED) {
            shortcuts.clear();
        }
        shortcuts.put(key, by);
    }
}
