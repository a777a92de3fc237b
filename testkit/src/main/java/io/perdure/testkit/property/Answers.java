package io.perdure.testkit.property;

import io.perdure.core.store.Claimed;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Received;
import io.perdure.core.store.Received.Delivery;
import io.perdure.sdk.id.GroupKey;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Brings answers to what stores promise of them, so that two right stores give equal ones. */
final class Answers {
    private Answers() {}

    /** The part of an answer that is the same in every store. */
    static Object promised(Object answer) {
        return switch (answer) {
            case Claimed claimed -> claimed.runs();
            case Received received ->
                received.deliveries().stream()
                        .map(delivery -> new Delivery(
                                delivery.receipt(), withPlace(delivery.message(), place(delivery.message()))))
                        .toList();
            case List<?> list -> list.stream().map(Answers::promised).toList();
            case MessageRow row -> withPlace(row, place(row));
            case Outcome.Refused(var why, var _) -> new Outcome.Refused(why, "");
            default -> answer;
        };
    }

    /** Whether the time to ask again that a store gave is early enough: none at all, or not after the model's. */
    static boolean isEarlyEnough(Object subject, Object model) {
        return !(subject instanceof Claimed some && model instanceof Claimed exact)
                || isNotAfter(some.nextReady(), exact.nextReady());
    }

    private static boolean isNotAfter(@Nullable Instant time, @Nullable Instant latest) {
        return time == null || latest == null || !time.isAfter(latest);
    }

    /** All messages of one queue, with their ranks in their groups for places: numbers may have gaps, order may not differ. */
    static List<MessageRow> ranked(List<MessageRow> rows) {
        Map<GroupKey, NavigableSet<Long>> places = new HashMap<>();
        for (MessageRow row : rows) {
            if (row.group() != null) {
                places.computeIfAbsent(row.group(), _ -> new TreeSet<>()).add(row.groupSeq());
            }
        }
        return rows.stream()
                .map(row -> withPlace(row, place(row) == 0 ? 0 : rank(places.get(row.group()), row.groupSeq())))
                .toList();
    }

    private static long rank(@Nullable NavigableSet<Long> places, long place) {
        return places == null ? 0 : places.headSet(place, true).size();
    }

    /** Whether a message has a place in a group; dead letters have left theirs. */
    private static long place(MessageRow row) {
        return row.group() == null || row.queue().holdsDeadLetters() ? 0 : Long.signum(row.groupSeq());
    }

    private static MessageRow withPlace(MessageRow row, long place) {
        return new MessageRow(
                row.id(),
                row.queue(),
                row.body(),
                row.headers(),
                row.group(),
                place,
                row.sentAt(),
                row.readyAt(),
                row.expiresAt(),
                row.leased(),
                row.deliveries(),
                row.earlierDeliveries(),
                row.lastError(),
                row.deadLetter());
    }
}
