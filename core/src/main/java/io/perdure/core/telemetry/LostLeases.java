package io.perdure.core.telemetry;

import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.Receipt;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The leases that were found lost of late. A holder learns of its loss when it extends, and again when it commits, and whoever sends an answer again learns
 * of it once more: that is one lease. For any thread.
 */
final class LostLeases {
    private final Set<Lease> known;

    /** A lease has a token that no other one of its message has. The receipt's group proves nothing, and may be left out of one. */
    private record Lease(MessageId message, UUID token) {}

    /**
     * Nothing is lost yet.
     *
     * @param most how many are remembered; those that were found first are forgotten first
     */
    LostLeases(int most) {
        known = Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Lease, Boolean> eldest) {
                return size() > most;
            }
        }));
    }

    /** Notes that this one is lost; false where that is known. */
    boolean add(Receipt receipt) {
        return known.add(new Lease(receipt.message(), receipt.token()));
    }

    /** How many are remembered. */
    int size() {
        return known.size();
    }
}
