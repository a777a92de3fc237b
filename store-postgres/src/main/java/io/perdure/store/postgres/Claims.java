package io.perdure.store.postgres;

import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.ClaimRuns.Line;
import io.perdure.core.store.Claimed;
import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.rows.Times;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
 */
final class Claims {
    private static final String CLAIM = """
            SELECT run, line, lapses, leased_until, next_ready, now, first_ready, took, pages
            FROM perdure.claim_2(?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String EXTEND = "SELECT ends, status FROM perdure.extend_1(?, ?, ?, ?)";

    /** Kinds of claims for which a shortcut is remembered, at most. A process has one or two. */
    private static final int MOST_REMEMBERED = 1_000;

    /** A look that reads more pages of the index is dear: each holds some 150 entries. Without dead ones it reads a few for each line. */
    private static final int DEAR_PAGES = 100;

    /** How many times as long as a dear look took the next ones are short ones. */
    private static final long MADE_UP = 20;

    /** How long looks are short ones at most, however long the dear one took: so late may a run be that is behind where they begin. */
    private static final long MOST_MICROS = 10_000_000;

    /** How far before the first run found a short look begins: commits are seldom slower. */
    private static final long BEHIND_MICROS = 250_000;

    /** Claims of the same runs. */
    private record Kind(TenantId tenant, List<Line> lines) {}

    /**
     * Where looks begin for the time being.
     *
     * @param from in each line
     */
    private record Shortcut(List<Long> from, long until) {
        /** The same further on, in the lines in which something was found later. */
        Shortcut reaching(List<Long> further) {
            List<Long> later = new ArrayList<>(from.size());
            for (int line = 0; line < from.size(); line++) {
                later.add(Math.max(from.get(line), further.get(line)));
            }
            return new Shortcut(later, until);
        }
    }

    private final Connections connections;
    private final Connections leases;
    private final Map<Kind, Shortcut> shortcuts = new ConcurrentHashMap<>();

    /**
     * Claims over one pool and extends over another.
     *
     * @param leases over which nothing else goes
     */
    Claims(Connections connections, Connections leases) {
        this.connections = connections;
        this.leases = leases;
    }

    Claimed claim(ClaimRuns request) {
        Kind kind = new Kind(request.tenant(), request.lines());
        Shortcut shortcut = shortcuts.get(kind);
        Look look = connections.write(session -> look(session, request, kind, shortcut));
        remember(kind, shortcut, look);
        return new Claimed(look.claimed, nextReady(look, shortcut));
    }

    private static Look look(Session session, ClaimRuns request, Kind kind, @Nullable Shortcut shortcut)
            throws SQLException {
        List<Line> lines = kind.lines();
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
                shortcut == null
                        ? null
                        : shortcut.from().stream().mapToLong(Long::longValue).toArray());
        return look;
    }

    /** What is behind a shortcut is not seen: so whoever takes one looks again soon, and at the latest when it ends. */
    private static @Nullable Instant nextReady(Look look, @Nullable Shortcut shortcut) {
        if (shortcut == null) {
            return look.nextReady == null ? null : Times.instant(look.nextReady);
        }
        long soon = Math.min(shortcut.until(), look.now + BEHIND_MICROS);
        long next = look.nextReady == null ? soon : Math.min(soon, look.nextReady);
        return Times.instant(Math.max(look.now + 1, next));
    }

    private void remember(Kind kind, @Nullable Shortcut shortcut, Look look) {
        List<Long> from =
                look.firstReady.stream().map(ready -> ready - BEHIND_MICROS).toList();
        if (shortcut == null) {
            if (look.pages > DEAR_PAGES) {
                if (shortcuts.size() >= MOST_REMEMBERED) {
                    shortcuts.clear();
                }
                long length = Math.min(MOST_MICROS, MADE_UP * look.tookMicros);
                shortcuts.put(kind, new Shortcut(from, look.now + length));
            }
        } else if (look.now >= shortcut.until() || look.now < shortcut.until() - MOST_MICROS) {
            // Its time is over, or the clock went back.
            shortcuts.remove(kind, shortcut);
        } else {
            shortcuts.replace(kind, shortcut, shortcut.reaching(from));
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
        return leases.write(session -> session.list(
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
