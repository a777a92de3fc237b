package io.perdure.store.postgres;

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
import io.perdure.store.postgres.ClaimShortcuts.Beginnings;
import io.perdure.store.postgres.ClaimShortcuts.LookResult;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Leases runs, and lengthens leases of runs and messages, in bulk.
 *
 * <p>Where a claim begins to look is up to {@link ClaimShortcuts}: not always at the oldest entry of the index, for many may be dead.
 */
final class Claims {
    private static final String CLAIM = """
            SELECT run, line, lapses, leased_until, next_ready, now, first_ready, took, pages
            FROM perdure.claim_2(?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String EXTEND = "SELECT ends, status FROM perdure.extend_2(?, ?, ?, ?)";

    /** What the server says of a statement that took longer than it may. */
    private static final String TIMEOUT = "57014";

    private final Connections connections;
    private final Connections leases;
    private final Connections leasesOfVirtualThreads;
    private final ClaimShortcuts shortcuts = new ClaimShortcuts();

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
        Beginnings beginnings = shortcuts.beginnings(request);
        Look look;
        try {
            look = connections.waiting(wait).write(session -> look(session, request, beginnings));
        } catch (StoreException e) {
            if (e.getCause() instanceof SQLException cause && TIMEOUT.equals(cause.getSQLState())) {
                beginLater(request, beginnings, e);
            }
            throw e;
        }
        LookResult result = look.result();
        shortcuts.remember(request, beginnings, result);
        return new Claimed(look.claimed, ClaimShortcuts.nextReady(request, beginnings, result));
    }

    private void beginLater(ClaimRuns request, Beginnings beginnings, StoreException timeout) {
        long now;
        try {
            now = connections.read(session -> session.number("SELECT perdure.clock_1()"));
        } catch (StoreException e) {
            timeout.addSuppressed(e);
            return;
        }
        shortcuts.beginLater(request, beginnings, now);
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

        LookResult result() {
            return new LookResult(
                    now, tookMicros, pages, request.reclaimsAt(Times.instant(now)), firstReady, nextReady);
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
