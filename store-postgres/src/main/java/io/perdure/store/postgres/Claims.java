package io.perdure.store.postgres;

import static java.util.Objects.requireNonNull;

import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.ClaimRuns.Line;
import io.perdure.core.store.Claimed;
import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.rows.Times;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Leases runs, and lengthens leases of runs and messages, in bulk.
 *
 * <p>A claim looks from the oldest entry of the index on. While some long transaction keeps dead entries from being cleaned up, each run that
 * was held leaves its entries behind, and every claim would step over all of them. So a claim that read many pages lets the next ones begin a
 * little before where it found something, as {@link Receives} do. What is behind that, from a slow commit or with a lease that ran out, waits
 * for the next whole look.
 *
 * <p>There may be too many dead entries for one statement. If a whole look ends with a timeout, the next claims begin where the latest short ones
 * did, or a minute ago. After that, looks go further back step by step, until one is whole again or ends with a timeout too. In one claim at most
 * one line is looked at like this, the one that is to be looked at from furthest back, so that no line's dead entries keep the others from that.
 */
final class Claims {
    private static final String CLAIM = """
            SELECT run, line, lapses, leased_until, next_ready, now, first_ready, took, pages
            FROM perdure.claim_2(?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String EXTEND = "SELECT ends, status FROM perdure.extend_2(?, ?, ?, ?)";

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

    /** In place of where a look begins, or of what it found first: at the first entry, or nothing, for the line was not looked at. */
    private static final long NONE = -1;

    /** What the server says of a statement that took longer than it may. */
    private static final String TIMEOUT = "57014";

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

        /** Stays for the case that the wide look fails. */
        Shortcut over(long now) {
            return new Shortcut(from, NONE, now < from ? NONE : wide);
        }
    }

    /**
     * Where a claim begins in each line.
     *
     * @param wide the one with a shortcut that is nevertheless looked at from further back
     */
    private record Beginnings(
            Map<Line, Shortcut> shortcuts, @Nullable Line wide) {
        boolean isWide(Line line) {
            return line.equals(wide) || !shortcuts.containsKey(line);
        }

        /** Returns whether a timeout comes from the look into this line: the wide one, or those without a shortcut, if there is none. */
        boolean isToBlame(Line line) {
            return wide == null ? isWide(line) : line.equals(wide);
        }

        long of(Line line) {
            Shortcut shortcut = shortcuts.get(line);
            if (shortcut == null) {
                return NONE;
            }
            return line.equals(wide) ? shortcut.wide : shortcut.from;
        }
    }

    private final Connections connections;
    private final Connections leases;
    private final Connections leasesOfVirtualThreads;
    private final Map<Key, Shortcut> shortcuts = new ConcurrentHashMap<>();

    /**
     * Claims over one pool and extends over another. There a connection is kept from virtual threads, which are those of handlers: one that gets no
     * carrier while steps compute would keep the engine from extending.
     *
     * @param leases over which nothing else goes
     */
    Claims(Connections connections, Connections leases) {
        this.connections = connections;
        this.leases = leases;
        this.leasesOfVirtualThreads = leases.as(Share.CALLS);
    }

    /** Waits in line for a connection for up to the given time. A claim that is repeated after a timeout begins later in the lines. */
    Claimed claim(ClaimRuns request, Duration wait) {
        List<Line> lines = request.lines();
        Beginnings beginnings = beginnings(request);
        Look look;
        try {
            look = connections.waiting(wait).write(session -> look(session, request, beginnings));
        } catch (StoreException e) {
            if (e.getCause() instanceof SQLException cause && TIMEOUT.equals(cause.getSQLState())) {
                beginLater(request, beginnings, e);
            }
            throw e;
        }
        for (int line = 0; line < lines.size(); line++) {
            remember(request.tenant(), lines.get(line), beginnings, look, look.firstReady.get(line));
        }
        return new Claimed(look.claimed, nextReady(look, beginnings));
    }

    private Beginnings beginnings(ClaimRuns request) {
        Map<Line, Shortcut> used = new HashMap<>();
        Line wide = null;
        for (Line line : request.lines()) {
            Shortcut shortcut = shortcuts.get(new Key(request.tenant(), line));
            if (shortcut != null) {
                used.put(line, shortcut);
                if (shortcut.until == NONE && (wide == null || shortcut.wide < requireNonNull(used.get(wide)).wide)) {
                    wide = line;
                }
            }
        }
        return new Beginnings(used, wide);
    }

    private static Look look(Session session, ClaimRuns request, Beginnings beginnings) throws SQLException {
        List<Line> lines = request.lines();
        Look look = new Look(request, lines);
        session.list(
                CLAIM,
                look::take,
                request.tenant().value(),
                lines.stream().map(line -> line.queue().value()).toArray(String[]::new),
                lines.stream().mapToInt(Line::version).toArray(),
                lines.stream().map(line -> line.becomes().value()).toArray(String[]::new),
                request.max(),
                request.lease().token(),
                Documents.micros(request.lease().length()),
                Times.micros(request.reclaimsUntil()),
                lines.stream().mapToLong(beginnings::of).toArray());
        return look;
    }

    /** What is behind a shortcut is not seen: so a claim that takes one looks again soon, and at the latest when it ends. */
    private static @Nullable Instant nextReady(Look look, Beginnings beginnings) {
        OptionalLong ends = look.lines.stream()
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

    private void remember(TenantId tenant, Line line, Beginnings beginnings, Look look, long firstReady) {
        Key key = new Key(tenant, line);
        Shortcut used = beginnings.shortcuts.get(line);
        if (used == null) {
            if (firstReady != NONE && look.reclaims() && look.isDear()) {
                replace(key, null, new Shortcut(firstReady - BEHIND_MICROS, look.madeUp(), NONE));
            }
        } else if (beginnings.isWide(line)) {
            if (firstReady != NONE) {
                rememberWide(key, used, look, firstReady - BEHIND_MICROS);
            }
        } else if (used.isOver(look.now)) {
            replace(key, used, used.over(look.now));
        } else if (firstReady != NONE && look.reclaims()) {
            replace(key, used, new Shortcut(Math.max(used.from, firstReady - BEHIND_MICROS), used.until, used.wide));
        }
    }

    private void rememberWide(Key key, Shortcut used, Look look, long from) {
        if (!look.reclaims()) {
            replace(key, used, new Shortcut(used.from, look.madeUp(), used.wide));
        } else if (used.wide != NONE) {
            long back = WIDER * (look.now - used.wide);
            replace(key, used, new Shortcut(from, look.madeUp(), back < look.now ? look.now - back : NONE));
        } else if (look.isDear()) {
            replace(key, used, new Shortcut(from, look.madeUp(), NONE));
        } else {
            shortcuts.remove(key, used);
        }
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

    /**
     * Has the next claims begin where less is dead, after a look that ended with a timeout. That was because of the lines that it looked at from
     * far back; if there are none, a worker has not claimed for long and its shortcuts have become old. All lines have short looks for a while: wide
     * ones that time out must not make up most of the time, however many lines there are.
     */
    private void beginLater(ClaimRuns request, Beginnings beginnings, StoreException timeout) {
        long now;
        try {
            now = connections.read(session -> session.number("SELECT perdure.clock_1()"));
        } catch (StoreException e) {
            timeout.addSuppressed(e);
            return;
        }
        long recent = now - RECENT_MICROS;
        boolean allShort = request.lines().stream().noneMatch(beginnings::isWide);
        for (Line line : request.lines()) {
            Shortcut used = beginnings.shortcuts.get(line);
            if (!allShort && !beginnings.isToBlame(line)) {
                if (used != null) {
                    replace(
                            new Key(request.tenant(), line),
                            used,
                            new Shortcut(used.from, now + MOST_MICROS, used.wide));
                }
                continue;
            }
            long from = used == null || used.from > now ? recent : allShort ? Math.max(used.from, recent) : used.from;
            long began = beginnings.of(line);
            long back = began == NONE
                    ? WIDER * Math.max(RECENT_MICROS, now - from)
                    : Math.max(RECENT_MICROS, (now - began) / 2);
            replace(new Key(request.tenant(), line), used, new Shortcut(from, now + MOST_MICROS, now - back));
        }
    }

    /** What one call found. The function's last row is about the call itself. */
    private static final class Look {
        private final ClaimRuns request;
        private final List<Line> lines;
        private final List<ClaimedRun> claimed = new ArrayList<>();
        private @Nullable Long nextReady;
        private long now;
        private List<Long> firstReady = List.of();
        private long tookMicros;
        private long pages;

        Look(ClaimRuns request, List<Line> lines) {
            this.request = request;
            this.lines = lines;
        }

        /** Whether it took lapsed runs. Otherwise it stepped over them, and what it found first says nothing of where they are. */
        boolean reclaims() {
            return request.reclaimsAt(Times.instant(now));
        }

        boolean isDear() {
            return pages > DEAR_PAGES + PAGES_PER_LINE * lines.size();
        }

        /** Until when looks are short ones after this one. */
        long madeUp() {
            return now + Math.min(MOST_MICROS, MADE_UP * tookMicros);
        }

        boolean take(Row row) throws SQLException {
            UUID run = row.uuidOrNull(1);
            if (run == null) {
                nextReady = row.integerOrNull(5);
                now = row.integer(6);
                firstReady = row.integers(7);
                tookMicros = row.integer(8);
                Long read = row.integerOrNull(9);
                // A server that counts nothing does not tell.
                pages = read == null ? 0 : read;
                return false;
            }
            Line line = lines.get(row.small(2) - 1);
            RunId id = new RunId(run);
            Receipt receipt = new Receipt(MessageId.of(id), request.lease().token());
            return claimed.add(new ClaimedRun(id, line.workflow(), line.version(), receipt, row.small(3), row.time(4)));
        }
    }

    List<Extended> extend(List<Extend> extensions) {
        Connections over = Thread.currentThread().isVirtual() ? leasesOfVirtualThreads : leases;
        return over.write(session -> session.list(
                EXTEND,
                Claims::extended,
                extensions.stream().map(extend -> extend.tenant().value()).toArray(String[]::new),
                extensions.stream()
                        .map(extend -> extend.receipt().message().value())
                        .toArray(UUID[]::new),
                extensions.stream().map(extend -> extend.receipt().token()).toArray(UUID[]::new),
                extensions.stream()
                        .mapToLong(extend -> Documents.micros(extend.length()))
                        .toArray()));
    }

    private static Extended extended(Row row) throws SQLException {
        Long ends = row.integerOrNull(1);
        return ends == null
                ? new Extended.Lost(Answers.statusOrNull(row.textOrNull(2)))
                : new Extended.Until(Times.instant(ends));
    }
}
