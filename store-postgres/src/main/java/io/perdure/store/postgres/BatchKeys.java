package io.perdure.store.postgres;

import io.perdure.core.store.Commit;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The idempotency keys, workflow ids and deduplication ids that the documents of a batch name. The flush locks them in one
 * order before the first document: two batches that name the same keys in different orders would wait for each other.
 *
 * <p>The keys of a start are bound at once, unless they are taken, which costs no more than to bind them later. Only the first
 * start that names a run binds: a second one finds the keys of the first.
 */
final class BatchKeys {
    private final List<Key> keys = new ArrayList<>();
    private final Set<Started> started = new HashSet<>();
    private final Set<Integer> bound = new HashSet<>();

    /** @param holder the run that a free key is bound to; null for a key that is only locked */
    private record Key(
            TenantId tenant,
            String scope,
            String within,
            String value,
            @Nullable UUID holder,
            String detail) {}

    private record Started(TenantId tenant, RunId run) {}

    /**
     * Adds the keys of a document.
     *
     * @param place of its commit in the batch
     */
    void add(int place, Commit commit) {
        for (NewMessage message : Refusals.sends(commit)) {
            DeduplicationId id = message.deduplicationId();
            if (id != null) {
                keys.add(new Key(commit.tenant(), "message", message.queue().value(), id.value(), null, ""));
            }
        }
        if (commit instanceof Start start && !PlainStarts.isPlain(start)) {
            boolean first = started.add(new Started(start.tenant(), start.run()));
            if (first) {
                bound.add(place);
            }
            add(start, first ? start.run().value() : null);
        }
    }

    private void add(Start start, @Nullable UUID holder) {
        String workflow = start.definition().workflow().value();
        if (start.options().idempotencyKey() != null) {
            String key = start.options().idempotencyKey().value();
            keys.add(new Key(
                    start.tenant(),
                    "idempotency",
                    workflow,
                    key,
                    holder,
                    start.definition().fingerprint()));
        }
        if (start.options().workflowId() != null) {
            String id = start.options().workflowId().value();
            keys.add(new Key(start.tenant(), "workflow id", workflow, id, holder, ""));
        }
    }

    /**
     * Whether they are locked before the documents: one key alone has no order.
     *
     * @param runs whether runs are locked, whose workflow ids are locked too
     */
    boolean areLocked(boolean runs) {
        return keys.size() > 1 || (runs && !keys.isEmpty());
    }

    /** Whether the keys of the start at this place are bound before the documents. */
    boolean areBoundTo(int place) {
        return bound.contains(place);
    }

    List<Object> arrays(boolean locked) {
        List<Key> named = locked ? keys : List.of();
        return List.of(
                Column.texts(named, key -> key.tenant().value()),
                Column.texts(named, Key::scope),
                Column.texts(named, Key::within),
                Column.texts(named, Key::value),
                Column.ids(named, Key::holder),
                Column.texts(named, Key::detail));
    }
}
