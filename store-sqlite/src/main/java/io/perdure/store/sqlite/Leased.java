package io.perdure.store.sqlite;

import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.TenantId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Where the messages lie that this store leased out last, so that acknowledging one need not look for it. Only a shortcut:
 * the row's token is compared all the same, and a message that is not here is looked for by its id.
 */
final class Leased {
    /** What a busy store has out at a time; older ones are looked for. */
    private static final int MOST = 50_000;

    /** @param grouped whether others may wait behind it in a FIFO group */
    record Place(TenantId tenant, UUID token, long row, long queue, boolean grouped) {}

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
        return Optional.ofNullable(place)
                .filter(found -> found.token().equals(token) && found.tenant().equals(tenant));
    }

    void forget(MessageId message) {
        places.remove(message);
    }

    void forget() {
        places.clear();
    }
}
