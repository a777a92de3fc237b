package io.perdure.store.postgres;

import io.perdure.core.store.NotedRequest;
import io.perdure.core.store.RequestAnswer;
import io.perdure.core.store.RequestNote;
import io.perdure.sdk.id.TenantId;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/** The requests that were noted. An id is one request's until that is forgotten. */
final class Requests {
    private static final String COLUMNS = "SELECT tenant, id, noter, digest, status, media_type, body FROM ";

    private static final String NOTE = COLUMNS + "perdure.note_request_1(?, ?, ?, ?)";
    private static final String ONE = COLUMNS + "perdure.request_1(?, ?) WHERE id IS NOT NULL";
    private static final String ANSWER = "SELECT perdure.answer_request_1(?, ?, ?, ?, ?, ?)";
    private static final String FORGET = "SELECT perdure.forget_request_1(?, ?, ?)";

    private final Session session;

    Requests(Session session) {
        this.session = session;
    }

    NotedRequest note(RequestNote note) throws SQLException {
        return session.first(NOTE, Requests::noted, note.tenant().value(), note.id(), note.noter(), note.digest())
                .orElseThrow();
    }

    Optional<NotedRequest> find(TenantId tenant, UUID id) throws SQLException {
        return session.first(ONE, Requests::noted, tenant.value(), id);
    }

    int answer(RequestNote note, RequestAnswer answer) throws SQLException {
        return session.list(
                        ANSWER,
                        _ -> note,
                        note.tenant().value(),
                        note.id(),
                        note.noter(),
                        answer.status(),
                        answer.mediaType(),
                        answer.body().getBytes(StandardCharsets.UTF_8))
                .size();
    }

    int forget(RequestNote note) throws SQLException {
        return session.list(FORGET, _ -> note, note.tenant().value(), note.id(), note.noter())
                .size();
    }

    private static NotedRequest noted(Row row) throws SQLException {
        RequestNote note = new RequestNote(new TenantId(row.text(1)), row.uuid(2), row.uuid(3), row.text(4));
        String mediaType = row.textOrNull(6);
        return new NotedRequest(
                note,
                mediaType == null
                        ? null
                        : new RequestAnswer(row.small(5), mediaType, new String(row.bytes(7), StandardCharsets.UTF_8)));
    }
}
