package io.perdure.store.postgres;

import io.perdure.core.store.Hint;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.rows.Times;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Leases messages of users. While a call for a queue is under way, the requests for that queue that come meanwhile gather, and go
 * into the next call together: one transaction and one flush for all of them, and nobody looks past what a neighbour has locked.
 *
 * <p>A look begins at the oldest entry of the queue's index. Where some long transaction keeps dead entries from being cleaned
 * up, there come to be millions of them before the first that lives, and every look would step over them all. So a look that
 * read many pages lets the next ones begin a little before where it found something; what came in behind that, from a slow commit,
 * waits for the next whole look, which takes place once the dear one has been made up for twentyfold.
 */
final class Receives {
    private static final String RECEIVE = """
            SELECT %s, now, next_ready, first_ready, took, pages, given_up, left_out, groups
            FROM perdure.receive_2(?, ?, ?, ?, ?, ?, ?) m""".formatted(MessageColumns.NAMES);

    /** Receivers whose requests go into one call, at most. */
    private static final int MOST_TOGETHER = 32;

    /** Queues for which something is remembered while nobody receives from them, at most. */
    private static final int MOST_REMEMBERED = 1_000;

    /** A look that reads more pages of the index is dear: each holds some 250 entries. Without dead ones it reads a few. */
    private static final int DEAR_PAGES = 100;

    /** How many times as long as a dear look took the next ones are short ones. */
    private static final long MADE_UP = 20;

    /** How far before the last message found a short look begins: commits are seldom slower. */
    private static final long BEHIND_MICROS = 250_000;

    /** Where looks begin for the time being. */
    private record Shortcut(long from, long until) {
        /** Returns whether its time is over, or the clock was set back to before where it begins. */
        boolean isOver(long now) {
            return now >= until || now < from;
        }
    }

    private record Line(TenantId tenant, QueueName queue) {}

    private final Connections connections;
    private final Consumer<Set<Hint>> hints;
    private final Map<Line, Turns<Receive, Received>> turns = new ConcurrentHashMap<>();
    private final Map<Line, Shortcut> shortcuts = new ConcurrentHashMap<>();

    Receives(Connections connections, Consumer<Set<Hint>> hints) {
        this.connections = connections;
        this.hints = hints;
    }

    Received receive(Receive request) {
        if (!request.only().isEmpty()) {
            return together(List.of(request)).getFirst();
        }
        if (turns.size() > MOST_REMEMBERED) {
            turns.values().removeIf(Turns::isIdle);
            shortcuts.keySet().retainAll(turns.keySet());
        }
        return turns.computeIfAbsent(
                        new Line(request.tenant(), request.queue()), _ -> new Turns<>(MOST_TOGETHER, this::together))
                .take(request);
    }

    /** Does some requests for one queue in one call. */
    private List<Received> together(List<Receive> requests) {
        Receive first = requests.getFirst();
        Line line = new Line(first.tenant(), first.queue());
        Shortcut shortcut = first.only().isEmpty() ? shortcuts.get(line) : null;
        Look look = connections.write(session -> look(session, requests, shortcut));
        if (!look.known) {
            turns.remove(line);
            shortcuts.remove(line);
            var refused = Refusals.noSuchQueue(first.tenant(), first.queue());
            throw refused.why().because(refused.detail());
        }
        if (first.only().isEmpty()) {
            remember(line, shortcut, look);
        }
        hint(first, look);
        return share(requests, look, nextReady(look, shortcut));
    }

    /** A message that was given up is ready as a dead letter; one that was taken out may have been the head of a group. */
    private void hint(Receive request, Look look) {
        if (look.givenUp > 0 && !request.queue().holdsDeadLetters()) {
            hints.accept(Set.of(new Hint.Ready(request.tenant(), request.queue().deadLetters())));
        }
        if (look.leftOut > 0 && look.groups) {
            hints.accept(Set.of(new Hint.Ready(request.tenant(), request.queue())));
        }
    }

    /** The function gives to the first what it has room for, then to the second, and so on. */
    private static List<Received> share(List<Receive> requests, Look look, @Nullable Instant nextReady) {
        List<Received> shares = new ArrayList<>(requests.size());
        int from = 0;
        for (Receive request : requests) {
            int to = Math.min(look.messages.size(), from + request.max());
            List<Delivery> deliveries = new ArrayList<>(to - from);
            for (MessageRow message : look.messages.subList(from, to)) {
                deliveries.add(new Delivery(request.lease().token(), message));
            }
            shares.add(new Received(deliveries, deliveries.size() == request.max() ? null : nextReady));
            from = to;
        }
        return shares;
    }

    private static @Nullable Instant nextReady(Look look, @Nullable Shortcut shortcut) {
        if (shortcut != null) {
            return Times.instant(Math.max(look.now + 1, Math.min(shortcut.until(), look.now + BEHIND_MICROS)));
        }
        return look.nextReady == null ? null : Times.instant(look.nextReady);
    }

    private void remember(Line line, @Nullable Shortcut shortcut, Look look) {
        long from = look.firstReady - BEHIND_MICROS;
        if (shortcut == null) {
            // The next of a group keeps its place in the order, behind where such a look would begin.
            if (look.pages > DEAR_PAGES && !look.groups) {
                shortcuts.put(line, new Shortcut(from, look.now + MADE_UP * look.tookMicros));
            }
        } else if (shortcut.isOver(look.now) || look.groups) {
            shortcuts.remove(line, shortcut);
        } else if (from > shortcut.from()) {
            shortcuts.replace(line, shortcut, new Shortcut(from, shortcut.until()));
        }
    }

    private Look look(Session session, List<Receive> requests, @Nullable Shortcut shortcut) throws SQLException {
        Receive first = requests.getFirst();
        Look look = new Look(first.queue());
        session.list(
                RECEIVE,
                look::take,
                first.tenant().value(),
                first.queue().value(),
                requests.stream().mapToInt(Receive::max).toArray(),
                requests.stream().map(request -> request.lease().token()).toArray(UUID[]::new),
                requests.stream()
                        .mapToLong(request -> Documents.micros(request.lease().length()))
                        .toArray(),
                first.only().isEmpty()
                        ? null
                        : first.only().stream().map(MessageId::value).toArray(UUID[]::new),
                shortcut == null ? null : shortcut.from());
        return look;
    }

    /** What one call found. The function's last row is about the call itself. */
    private static final class Look {
        private final QueueName queue;
        private final List<MessageRow> messages = new ArrayList<>();
        private boolean known;
        private long now;
        private @Nullable Long nextReady;
        private long tookMicros;
        private int givenUp;
        private int leftOut;
        private long pages;
        private boolean groups;
        private long firstReady;

        Look(QueueName queue) {
            this.queue = queue;
        }

        boolean take(Row row) throws SQLException {
            if (row.uuidOrNull(1) != null) {
                return messages.add(MessageColumns.message(row, queue, true));
            }
            int at = MessageColumns.COUNT;
            known = row.integerOrNull(at + 1) != null;
            now = row.integer(at + 1);
            nextReady = row.integerOrNull(at + 2);
            firstReady = row.integer(at + 3);
            tookMicros = row.integer(at + 4);
            pages = row.integer(at + 5);
            givenUp = row.small(at + 6);
            leftOut = row.small(at + 7);
            groups = row.flag(at + 8);
            return false;
        }
    }
}
