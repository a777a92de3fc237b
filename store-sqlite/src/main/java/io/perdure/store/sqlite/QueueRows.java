package io.perdure.store.sqlite;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.Refusal;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The queues, remembered between transactions. The writer forgets them when another process has changed the file, and when
 * a transaction that may have changed one was rolled back.
 */
final class QueueRows {
    private record Name(TenantId tenant, QueueName queue) {}

    private static final String BY_NAME = "SELECT " + QueueRow.COLUMNS + " FROM queue WHERE tenant = ? AND name = ?";
    private static final String BY_ID = "SELECT " + QueueRow.COLUMNS + " FROM queue WHERE id = ?";

    private final Session session;
    private final Map<Name, QueueRow> byName = new HashMap<>();
    /** The one asked for last: in a batch it is nearly always the next one too. */
    private @Nullable QueueRow last;

    private final Map<Long, QueueRow> byId = new HashMap<>();

    QueueRows(Session session) {
        this.session = session;
    }

    void forget() {
        last = null;
        byName.clear();
        byId.clear();
    }

    Optional<QueueRow> find(TenantId tenant, QueueName name) {
        if (last == null || !last.name().equals(name) || !last.tenant().equals(tenant)) {
            QueueRow known = byName.get(new Name(tenant, name));
            if (known == null) {
                return session.first(BY_NAME, QueueRow::of, tenant.value(), name.value())
                        .map(this::remember);
            }
            last = known;
        }
        return Optional.of(last);
    }

    /** The queue that a message is in. */
    QueueRow of(long id) {
        QueueRow known = byId.get(id);
        return known != null
                ? known
                : remember(session.first(BY_ID, QueueRow::of, id).orElseThrow());
    }

    /** The queue of this name; throws {@code PD-401} where there is none. */
    QueueRow require(TenantId tenant, QueueName name) {
        return find(tenant, name).orElseThrow(() -> {
            Outcome.Refused refused = noSuchQueue(tenant, name);
            return refused.why().because(refused.detail());
        });
    }

    private QueueRow remember(QueueRow row) {
        byName.put(new Name(row.tenant(), row.name()), row);
        byId.put(row.id(), row);
        return row;
    }

    static Outcome.Refused noSuchQueue(TenantId tenant, QueueName queue) {
        return new Outcome.Refused(Refusal.NO_SUCH_QUEUE, "Tenant %s has no queue \"%s\".".formatted(tenant, queue));
    }
}
