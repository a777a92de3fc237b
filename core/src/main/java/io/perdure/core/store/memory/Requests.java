package io.perdure.core.store.memory;

import io.perdure.core.store.NotedRequest;
import io.perdure.core.store.RequestAnswer;
import io.perdure.core.store.RequestNote;
import io.perdure.sdk.id.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The requests that were noted. An id is one request's until that is forgotten. */
final class Requests {
    private record Key(TenantId tenant, UUID id) {
        static Key of(RequestNote note) {
            return new Key(note.tenant(), note.id());
        }
    }

    private record Row(NotedRequest request, Instant notedAt) {}

    private final Duration kept;
    private final Map<Key, Row> rows = new HashMap<>();

    Requests(Duration kept) {
        this.kept = kept;
    }

    NotedRequest note(RequestNote note, Instant now) {
        return rows.computeIfAbsent(Key.of(note), _ -> new Row(new NotedRequest(note, null), now))
                .request();
    }

    Optional<NotedRequest> find(TenantId tenant, UUID id) {
        return Optional.ofNullable(rows.get(new Key(tenant, id))).map(Row::request);
    }

    void answer(RequestNote note, RequestAnswer answer) {
        underWay(note)
                .ifPresent(row -> rows.put(Key.of(note), new Row(row.request().answered(answer), row.notedAt())));
    }

    void forget(RequestNote note) {
        underWay(note).ifPresent(_ -> rows.remove(Key.of(note)));
    }

    private Optional<Row> underWay(RequestNote note) {
        return Optional.ofNullable(rows.get(Key.of(note)))
                .filter(row -> row.request().isOf(note) && row.request().answer() == null);
    }

    int sweep(Instant now, int limit) {
        List<Key> old = rows.entrySet().stream()
                .filter(row -> !row.getValue().notedAt().plus(kept).isAfter(now))
                .sorted(Comparator.comparing(
                                (Map.Entry<Key, Row> row) -> row.getValue().notedAt())
                        .thenComparing(row -> row.getKey().id())
                        .thenComparing(row -> row.getKey().tenant()))
                .limit(limit)
                .map(Map.Entry::getKey)
                .toList();
        old.forEach(rows::remove);
        return old.size();
    }
}
