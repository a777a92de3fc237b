package io.perdure.store.sqlite;

import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.TenantId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where the messages lie that this store leased out last, so that acknowledging one need not look for it. Only a shortcut:
 * the row's token and time are compared all the same, and a message that is not here is looked for by its id.
 */
final class Leased {
    /** What a busy store has out at a time; older ones are looked for. */
    private static final int MOST = 50_000;

    /**
     * @param ends when the lease does, in microseconds
     * @param group the FIFO group that it is the head of: others may wait behind it
     */
    record Place(
            TenantId tenant,
            UUID token,
            long ends,
            long row,
            long queue,
            @Nullable String group) {
        Place until(long later) {
            return new Place(tenant, token, later, row, queue, group);
        }

        boolean isOf(TenantId candidate, UUID lease) {
            return token.equals(lease) && tenant.equals(candidate);
        }
    }

    private final Map<MessageId, Place> places = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<MessageId, Place> eldest) {
            return size() > MOST;
        }
    };

    void remember(MessageId message, Place place) {
        places.put(message, place);
    }

    /** Where a message lies that is leased by this token. It is forgotten: whoever asks will take it away. */
    Optional<Place> take(TenantId tenant, MessageId message, UUID token) {
        Place place = places.remove(message);
        return Optional.ofNullable(place).filter(found -> found.isOf(tenant, token));
    }

    /** A lease ends later than it was to. */
    void extend(TenantId tenant, MessageId message, UUID token, long ends) {
        places.computeIfPresent(message, (_, place) -> place.isOf(tenant, token) ? place.until(ends) : place);
    }

    void forget(MessageId message) {
        places.remove(message);
    }

    void forget() {
        places.clear();
    }
}
