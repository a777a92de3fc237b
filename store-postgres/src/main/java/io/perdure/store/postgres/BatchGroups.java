package io.perdure.store.postgres;

import io.perdure.core.store.NewMessage;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The groups that the commits of a batch join and leave, as far as the batch was read. A flush leaves groups first, then has groups joined,
 * then leaves those late that were joined before they were left; documents come last. Whether a group is empty when it is joined decides
 * the next number, so this tells which commits may be done in that order.
 */
final class BatchGroups {
    private final Map<Group, Integer> places = new HashMap<>();
    private final List<Group> joined = new ArrayList<>();
    private final Set<Line> joinedForSure = new HashSet<>();
    private final Set<Line> joinedPerhaps = new HashSet<>();
    private final Set<Line> inDocuments = new HashSet<>();

    private record Group(int queue, GroupKey key) {}

    /** A group as receipts know it; two that share a hash are taken for one. */
    private record Line(TenantId tenant, int groupHash) {}

    /**
     * A plain send joins a group with one of its messages.
     *
     * @param queue the place of its queue among those that are sent to
     * @return the place of the group among those that are joined, from 1; 0 where there is none
     */
    int join(Send send, NewMessage message, int queue) {
        GroupKey key = message.group();
        if (key == null) {
            return 0;
        }
        (isTaken(send) ? joinedForSure : joinedPerhaps).add(new Line(send.tenant(), message.groupHash()));
        return places.computeIfAbsent(new Group(queue, key), group -> {
            joined.add(group);
            return joined.size();
        });
    }

    /** Whether a send is not refused where one of its groups is there: then its queue is there too, and no delay is asked for. */
    private static boolean isTaken(Send send) {
        QueueName queue = send.messages().getFirst().queue();
        return send.messages().stream()
                .allMatch(message -> message.delay().isZero() && message.queue().equals(queue));
    }

    /** A document joins or leaves a group. */
    void inDocument(TenantId tenant, int groupHash) {
        if (groupHash != 0) {
            inDocuments.add(new Line(tenant, groupHash));
        }
    }

    /** Whether a send to the group may be done before the documents. */
    boolean isJoinedPlainly(TenantId tenant, NewMessage message) {
        return message.group() == null || !inDocuments.contains(new Line(tenant, message.groupHash()));
    }

    /** Whether an acknowledgement may be done before the documents. */
    boolean isLeftPlainly(TenantId tenant, int groupHash) {
        Line line = new Line(tenant, groupHash);
        return groupHash == 0
                || (!inDocuments.contains(line) && (joinedForSure.contains(line) || !joinedPerhaps.contains(line)));
    }

    /**
     * Whether the group was joined before it is left. Then it is left after all who join: to those that come after the acknowledgement
     * this is the same, because the group is not empty in either case.
     */
    boolean isLeftLate(TenantId tenant, int groupHash) {
        return joinedForSure.contains(new Line(tenant, groupHash));
    }

    List<Object> arrays() {
        return List.of(
                Column.ints(joined, Group::queue),
                Column.texts(joined, group -> group.key().value()));
    }
}
