package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Extend;
import io.perdure.core.store.Lease;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Discard;
import io.perdure.core.store.QueueCommit.Purge;
import io.perdure.core.store.QueueCommit.Redrive;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received.Delivery;
import io.perdure.sdk.id.QueueName;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The figures of a queue over many transitions in a row. */
abstract class FigureWalkContract extends FigureFixture {
    private static final QueueName LETTERS = QUEUE.deadLetters();

    FigureWalkContract(StoreFactory factory) {
        super(factory);
    }

    /** Everything at once, in an order that nobody thought of: after each step the figures say what the messages say. */
    @Test
    final void theFiguresAgreeWithTheMessagesAfterEveryStep() {
        createQueue();
        SplittableRandom random = new SplittableRandom(11);
        for (int step = 0; step < 400; step++) {
            switch (random.nextInt(8)) {
                case 0, 1 -> sent(newMail().delay(Duration.ofMillis(random.nextLong(20_000))));
                case 2 -> sent(newMail().group("g" + random.nextInt(3)));
                case 3, 4 -> settled(random);
                case 5 -> extended(random);
                case 6 -> intervened(random);
                default -> clock.move(Duration.of(random.nextLong(9_000_000), ChronoUnit.MICROS));
            }
            agrees(QUEUE);
            agrees(LETTERS);
        }
        assertThat(figures(QUEUE).retried()).isPositive();
        assertThat(figures(QUEUE).deadLettered()).isPositive();
        assertThat(figures(QUEUE).out()).isPositive();
    }

    private List<Delivery> received(SplittableRandom random, QueueName queue) {
        Lease lease = new Lease(ids.token(), Duration.ofMillis(1 + random.nextLong(12_000)));
        return store.receive(new Receive(TENANT, queue, 1 + random.nextInt(3), lease))
                .deliveries();
    }

    private void settled(SplittableRandom random) {
        for (Delivery delivery : received(random, random.nextInt(4) == 0 ? LETTERS : QUEUE)) {
            Verdict verdict = switch (random.nextInt(6)) {
                case 0 -> new Verdict.Release();
                case 1 -> new Verdict.Reject("never");
                case 2 -> new Verdict.Retry(Duration.ofMillis(random.nextLong(15_000)), "later");
                case 3 -> new Verdict.Retry(Duration.ZERO, "again");
                default -> new Verdict.Done();
            };
            expect(Outcome.Settled.class, new Settle(TENANT, delivery.receipt(), verdict));
        }
    }

    private void extended(SplittableRandom random) {
        List<Extend> extensions = received(random, QUEUE).stream()
                .map(delivery -> new Extend(TENANT, delivery.receipt(), Duration.ofMillis(1 + random.nextLong(30_000))))
                .toList();
        if (!extensions.isEmpty()) {
            store.extend(extensions);
        }
    }

    /** What an operator does: redrives, discards and purges. */
    private void intervened(SplittableRandom random) {
        List<MessageRow> letters = messages(LETTERS);
        List<MessageRow> rows = messages(QUEUE);
        switch (random.nextInt(6)) {
            case 0 -> commit(new Purge(TENANT, QUEUE, 1 + random.nextInt(3)));
            case 1, 2 -> {
                if (!rows.isEmpty()) {
                    commit(new Discard(
                            TENANT, QUEUE, rows.get(random.nextInt(rows.size())).id()));
                }
            }
            default -> {
                if (!letters.isEmpty()) {
                    commit(new Redrive(
                            TENANT,
                            LETTERS,
                            letters.get(random.nextInt(letters.size())).id()));
                }
            }
        }
    }
}
