package io.perdure.store.sqlite;

import io.perdure.core.store.NotedRequest;
import io.perdure.core.store.RequestAnswer;
import io.perdure.core.store.RequestNote;
import io.perdure.sdk.id.TenantId;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** The requests that were noted. An id is one request's until that is forgotten. */
final class Requests {
    private static final String NOTE = """
            INSERT INTO request (tenant, id, noter, digest, noted_at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING""";

    static final String ONE =
            "SELECT tenant, id, noter, digest, status, media_type, body FROM request WHERE tenant = ? AND id = ?";

    private static final String UNDER_WAY = " WHERE tenant = ? AND id = ? AND noter = ? AND status IS NULL";

    private static final String ANSWER = "UPDATE request SET status = ?, media_type = ?, body = ?" + UNDER_WAY;

    private static final String FORGET = "DELETE FROM request" + UNDER_WAY;

    static final String OLD =
            "SELECT tenant, id FROM request WHERE noted_at <= ? ORDER BY noted_at, id, tenant LIMIT ?";

    private static final String SWEEP = "DELETE FROM request WHERE (tenant, id) IN (" + OLD + ")";

    private final Session session;

    Requests(Session session) {
        this.session = session;
    }

    NotedRequest note(RequestNote note, Instant now) {
        session.update(NOTE, note.tenant().value(), note.id(), note.noter(), note.digest(), now);
        return find(note.tenant(), note.id()).orElseThrow();
    }

    Optional<NotedRequest> find(TenantId tenant, UUID id) {
        return session.first(ONE, Requests::noted, tenant.value(), id);
    }

    void answer(RequestNote note, RequestAnswer answer) {
        session.update(
                ANSWER,
                answer.status(),
                answer.mediaType(),
                answer.body(),
                note.tenant().value(),
                note.id(),
                note.noter());
    }

    void forget(RequestNote note) {
        session.update(FORGET, note.tenant().value(), note.id(), note.noter());
    }

    /** Removes those that were noted then or before. */
    int sweep(Instant until, int limit) {
        return session.update(SWEEP, until, limit);
    }

    private static NotedRequest noted(Row row) throws SQLException {
        RequestNote note = new RequestNote(new TenantId(row.text(1)), row.uuid(2), row.uuid(3), row.text(4));
        String mediaType = row.textOrNull(6);
        return new NotedRequest(
                note, mediaType == null ? null : new RequestAnswer(row.small(5), mediaType, row.text(7)));
    }
}
