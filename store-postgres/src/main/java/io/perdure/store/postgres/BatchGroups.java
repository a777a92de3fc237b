package io.perdure.store.postgres;

import io.perdure.core.store.NewMessage;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.id.TenantId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The groups that the commits of a batch join and leave, as far as the batch was read. Whether a group is empty when it is joined decides
 * the number that is given out, and documents come last: so what joins or leaves a group after a document did is a document too.
 *
 * <p>Two groups that share a hash are taken for one. A receipt that was made by hand and bears none counts as that of a message in no group:
 * the order in its group is kept all the same, but a number may be another than one commit after the other would have given out.
 */
final class BatchGroups {
    private final Map<Joined, Integer> places = new HashMap<>();
    private final List<Joined> joined = new ArrayList<>();
    private final Set<Hashed> inDocuments = new HashSet<>();

    private record Joined(int queue, GroupKey key) {}

    /** A group as a receipt knows it. */
    private record Hashed(TenantId tenant, int groupHash) {}

    /**
     * A message that is sent plainly joins its group.
     *
     * @param queue the place of its queue among those that are sent to
     * @return the place of the group among those that are joined, from 1; 0 where there is none
     */
    int join(int queue, NewMessage message) {
        GroupKey key = message.group();
        return key == null
                ? 0
                : places.computeIfAbsent(new Joined(queue, key), group -> {
                    joined.add(group);
                    return joined.size();
                });
    }

    /** A document joins or leaves a group, or neither where the hash is 0. */
    void inDocument(TenantId tenant, int groupHash) {
        if (groupHash != 0) {
            inDocuments.add(new Hashed(tenant, groupHash));
        }
    }

    /** Whether the group, if it is one, may be joined or left before the documents. */
    boolean isPlain(TenantId tenant, int groupHash) {
        return groupHash == 0 || !inDocuments.contains(new Hashed(tenant, groupHash));
    }

    List<Object> arrays() {
        return List.of(
                Column.ints(joined, Joined::queue),
                Column.texts(joined, group -> group.key().value()));
    }
}
