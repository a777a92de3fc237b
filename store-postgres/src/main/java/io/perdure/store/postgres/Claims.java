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
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Leases runs, and lengthens leases of runs and messages, in bulk. */
final class Claims {
    private static final String CLAIM = """
            SELECT run, line, lapses, leased_until, next_ready
            FROM perdure.claim_1(?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String EXTEND = "SELECT ends, status FROM perdure.extend_1(?, ?, ?, ?)";

    private final Connections connections;
    private final Connections leases;

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
        List<Line> lines = request.lines();
        return connections.write(session -> claim(session, request, lines));
    }

    private Claimed claim(Session session, ClaimRuns request, List<Line> lines) throws SQLException {
        UUID token = request.lease().token();
        List<ClaimedRun> claimed = new ArrayList<>();
        @Nullable Instant[] nextReady = new Instant[1];
        session.list(
                CLAIM,
                row -> {
                    UUID run = row.uuidOrNull(1);
                    if (run == null) {
                        nextReady[0] = row.timeOrNull(5);
                        return false;
                    }
                    Line line = lines.get(row.small(2) - 1);
                    RunId id = new RunId(run);
                    return claimed.add(new ClaimedRun(
                            id,
                            line.workflow(),
                            line.version(),
                            new Receipt(MessageId.of(id), token),
                            row.small(3),
                            row.time(4)));
                },
                request.tenant().value(),
                lines.stream().map(line -> line.queue().value()).toArray(String[]::new),
                lines.stream().mapToInt(Line::version).toArray(),
                lines.stream().map(line -> line.becomes().value()).toArray(String[]::new),
                request.max(),
                token,
                Documents.micros(request.lease().length()),
                Times.micros(request.reclaimsUntil()));
        return new Claimed(claimed, nextReady[0]);
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
