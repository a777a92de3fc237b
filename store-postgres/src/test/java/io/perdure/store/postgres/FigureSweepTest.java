package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Sweep;
import io.perdure.sdk.queue.QueueFigures;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sweeps of messages keep what figures are made of small, and change none. */
final class FigureSweepTest {
    private static final int MANY = 1_000;

    private final FreshDatabase database = new FreshDatabase();
    private final Mailroom mailroom = Mailroom.at(database.text());

    @AfterEach
    void close() {
        try (database) {
            mailroom.close();
        }
    }

    private QueueFigures figures() {
        return mailroom.figures(Mailroom.QUEUE);
    }

    @Test
    void slotsLargeAndSmallGoAnHourAfterTheyHavePassed() {
        mailroom.sendAll(3);
        mailroom.receive(2, Mailroom.LONG);
        QueueFigures before = figures();
        database.run("""
                INSERT INTO perdure.queue_due (queue, bits, slot, lane, delayed, leased)
                SELECT d.queue, d.bits, ((extract(epoch FROM now())::bigint - a.ago) * 1000000) >> d.bits, -7, 1, 1
                FROM perdure.queue_due d, (VALUES (3000), (4500)) a (ago)""");

        mailroom.store.sweep(Sweep.EXPIRED_MESSAGES, MANY);

        assertThat(database.read(
                        "SELECT string_agg(bits::text, ' ' ORDER BY bits) FROM perdure.queue_due WHERE lane = -7"))
                .as("what is left of what has passed")
                .isEqualTo("22 28");
        assertThat(figures()).isEqualTo(before);
    }

    @Test
    void whatBackendsHaveCountedGoesOverToOneLane() {
        mailroom.sendAll(3);
        database.run("""
                INSERT INTO perdure.queue_count (queue, lane, came_in, went_out, retried, dead_lettered, expired)
                SELECT q.id, l, 5, 2, 1, 1, 1 FROM perdure.queue q, generate_series(-3, -1) l WHERE q.name = 'mail'""");
        QueueFigures before = figures();
        assertThat(before.in()).isEqualTo(18);

        mailroom.store.sweep(Sweep.EXPIRED_MESSAGES, MANY);
        mailroom.store.sweep(Sweep.EXPIRED_MESSAGES, MANY);

        assertThat(database.read("SELECT count(*)::text FROM perdure.queue_count WHERE lane < 0"))
                .isEqualTo("0");
        assertThat(figures()).isEqualTo(before);
    }
}
