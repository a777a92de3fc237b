package io.perdure.store.postgres;

import io.perdure.core.store.Hint;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.MessageRow.DeadLetter;
import io.perdure.core.store.MessageRow.Reason;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.rows.Texts;
import io.perdure.core.store.rows.Times;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
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
 * Leases messages of users.
 *
 * <p>A look begins at the oldest entry of the queue's index. Where some long transaction keeps dead entries from being cleaned
 * up, there come to be millions of them before the first that lives, and every look would step over them all. So a look that
 * took long lets the next ones begin a little before where it found something; what came in behind that, from a slow commit,
 * waits for the next whole look, which takes place once the dear one has been made up for twentyfold.
 */
final class Receives {
    private static final String RECEIVE = """
            SELECT id, body, headers, group_key, group_seq, sent_at, ready_at, expires_at, deliveries, earlier_deliveries,
                   last_error, dead_origin, dead_reason, dead_at
            FROM perdure.receive_1(?, ?, ?, ?, ?, ?, ?, ?)""";

    /** A look of more microseconds is dear. Without dead entries one takes a few hundred. */
    private static final long DEAR_MICROS = 10_000;

    /** How many times as long as a dear look took the next ones are short ones. */
    private static final long MADE_UP = 20;

    /** How far before the last message found a short look begins: commits are seldom slower. */
    private static final long BEHIND_MICROS = 250_000;

    private record Line(TenantId tenant, QueueName queue) {}

    /** Where looks begin for the time being. */
    private record Shortcut(long from, long until) {}

    private final Connections connections;
    private final ClockMemory clock;
    private final Consumer<Set<Hint>> hints;
    private final Map<Line, Shortcut> shortcuts = new ConcurrentHashMap<>();

    Receives(Connections connections, ClockMemory clock, Consumer<Set<Hint>> hints) {
        this.connections = connections;
        this.clock = clock;
        this.hints = hints;
    }

    Received receive(Receive request) {
        Line line = new Line(request.tenant(), request.queue());
        Shortcut shortcut = shortcuts.get(line);
        Long from = shortcut == null ? null : (Long) shortcut.from();
        Look look = connections.write(session -> look(session, request, from));
        if (look.queueIsMissing()) {
            var refused = Refusals.noSuchQueue(request.tenant(), request.queue());
            throw refused.why().because(refused.detail());
        }
        clock.saw(look.now);
        remember(line, shortcut, look);
        if (look.givenUp > 0 && !request.queue().holdsDeadLetters()) {
            hints.accept(Set.of(new Hint.Ready(request.tenant(), request.queue().deadLetters())));
        }
        return new Received(look.deliveries, nextReady(look, shortcut));
    }

    private static @Nullable Instant nextReady(Look look, @Nullable Shortcut shortcut) {
        if (shortcut != null && look.deliveries.size() < look.request.max()) {
            return Times.instant(Math.max(look.now + 1, Math.min(shortcut.until(), look.now + BEHIND_MICROS)));
        }
        return look.nextReady == null ? null : Times.instant(look.nextReady);
    }

    private void remember(Line line, @Nullable Shortcut shortcut, Look look) {
        long from = look.firstReady - BEHIND_MICROS;
        if (shortcut == null) {
            if (look.tookMicros > DEAR_MICROS) {
                shortcuts.put(line, new Shortcut(from, look.now + MADE_UP * look.tookMicros));
            }
        } else if (look.now >= shortcut.until()) {
            shortcuts.remove(line, shortcut);
        } else if (from > shortcut.from()) {
            shortcuts.replace(line, shortcut, new Shortcut(from, shortcut.until()));
        }
    }

    private Look look(Session session, Receive request, @Nullable Long from) throws SQLException {
        Look look = new Look(request);
        session.list(
                RECEIVE,
                row -> look.take(row),
                request.tenant().value(),
                request.queue().value(),
                request.max(),
                request.lease().token(),
                Documents.micros(request.lease().length()),
                request.only().isEmpty()
                        ? null
                        : request.only().stream().map(MessageId::value).toArray(UUID[]::new),
                clock.latest(),
                from);
        return look;
    }

    /** What one call found. The function's last row is about the call itself. */
    private static final class Look {
        private final Receive request;
        private final List<Delivery> deliveries = new ArrayList<>();
        private boolean known;
        private long now;
        private @Nullable Long nextReady;
        private long tookMicros;
        private int givenUp;
        private long firstReady;

        Look(Receive request) {
            this.request = request;
        }

        boolean queueIsMissing() {
            return !known;
        }

        boolean take(Row row) throws SQLException {
            UUID id = row.uuidOrNull(1);
            if (id == null) {
                known = row.textOrNull(2) != null;
                now = row.integer(6);
                nextReady = row.integerOrNull(7);
                tookMicros = row.integer(8);
                givenUp = row.small(9);
                firstReady = row.integer(5);
                return false;
            }
            MessageRow message = message(row, 1, request.queue(), true);
            return deliveries.add(
                    new Delivery(new Receipt(message.id(), request.lease().token()), message));
        }
    }

    /** A message from fourteen columns in the order of the function. */
    static MessageRow message(Row row, int first, QueueName queue, boolean leased) throws SQLException {
        String group = row.textOrNull(first + 3);
        Instant deadAt = row.timeOrNull(first + 13);
        return new MessageRow(
                new MessageId(row.uuid(first)),
                queue,
                row.json(first + 1),
                Texts.map(row.textOrNull(first + 2)),
                group == null ? null : new GroupKey(group),
                row.integer(first + 4),
                row.time(first + 5),
                row.time(first + 6),
                row.time(first + 7),
                leased,
                row.small(first + 8),
                row.small(first + 9),
                row.textOrNull(first + 10),
                deadAt == null
                        ? null
                        : new DeadLetter(
                                new QueueName(row.text(first + 11)), Reason.valueOf(row.text(first + 12)), deadAt));
    }
}
