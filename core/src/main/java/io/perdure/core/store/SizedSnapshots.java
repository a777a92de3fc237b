package io.perdure.core.store;

import io.perdure.sdk.id.RunId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@link Store#snapshots(io.perdure.sdk.id.TenantId, List, long)} read, and how large each run is.
 *
 * @param read the runs that fit, in the order asked
 * @param bytes the size of each run that exists, read or not: input, scratchpad, events and waiting signals as JSON. Counted roughly: a character may
 *     count as one byte
 */
public record SizedSnapshots(List<RunSnapshot> read, Map<RunId, Long> bytes) {
    public SizedSnapshots {
        read = List.copyOf(read);
        bytes = Map.copyOf(bytes);
    }

    /** The runs that exist and were not read, each with its size. */
    public Map<RunId, Long> unread() {
        Map<RunId, Long> unread = new HashMap<>(bytes);
        read.forEach(snapshot -> unread.remove(snapshot.run().id()));
        return unread;
    }
}
