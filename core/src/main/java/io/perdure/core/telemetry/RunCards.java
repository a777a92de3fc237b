package io.perdure.core.telemetry;

import io.perdure.core.store.Store;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The {@linkplain RunCard cards} of runs that something happened to of late. Whoever brings a run's commit to the store must not wait for more than that:
 * a card that is not here is read by a thread of its own, and what was to be told with it is told then.
 */
final class RunCards implements AutoCloseable {
    private static final Duration REST = Duration.ofSeconds(1);

    /** How long whoever closes waits for what is yet to be read. */
    private static final Duration AT_END = Duration.ofSeconds(5);

    private final Store store;
    private final int most;
    private final Teller teller;
    private final Runnable dropped;
    private final Map<RunId, RunCard> cards;
    private final Queue<Question> questions = new ConcurrentLinkedQueue<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final Bell bell;
    private final Bell ended;
    private volatile boolean closed;
    private volatile boolean givenUp;

    private record Question(TenantId tenant, RunId run, Consumer<RunCard> then) {}

    /**
     * Cards of runs in a store.
     *
     * @param most how many are kept, and how many may be yet to be read
     * @param dropped is told of one that could not be read, or not in time
     */
    RunCards(Store store, Environment environment, int most, Teller teller, Runnable dropped) {
        this.store = store;
        this.most = most;
        this.teller = teller;
        this.dropped = dropped;
        this.cards = Collections.synchronizedMap(new Latest(most));
        this.bell = environment.bell();
        this.ended = environment.bell();
        environment.start("perdure-telemetry", this::readAll);
    }

    /** Lets go of what nobody asked for the longest. */
    private static final class Latest extends LinkedHashMap<RunId, RunCard> {
        private static final long serialVersionUID = 1L;
        private static final int AT_FIRST = 64;
        private static final float LOAD = 0.75f;

        private final int most;

        Latest(int most) {
            super(AT_FIRST, LOAD, true);
            this.most = most;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<RunId, RunCard> eldest) {
            return size() > most;
        }
    }

    void keep(RunCard card) {
        cards.put(card.run(), card);
    }

    void forget(RunId run) {
        cards.remove(run);
    }

    /** How many are kept. */
    int size() {
        return cards.size();
    }

    /** Tells something with the card of a run: now where it is kept, soon where it has to be read. */
    void with(TenantId tenant, RunId run, Consumer<RunCard> then) {
        RunCard card = cards.get(run);
        if (card != null) {
            then.accept(card);
        } else if (asked.incrementAndGet() > most) {
            asked.decrementAndGet();
            dropped.run();
        } else {
            questions.add(new Question(tenant, run, then));
            bell.ring();
        }
    }

    private void readAll() {
        try {
            while (!givenUp) {
                Question question = questions.poll();
                if (question != null) {
                    asked.decrementAndGet();
                    teller.tell(() -> read(question));
                } else if (closed) {
                    return;
                } else {
                    bell.await(REST);
                }
            }
        } catch (InterruptedException e) {
            // Nobody of ours interrupts this thread: who does wants it to end.
            Thread.currentThread().interrupt();
        } finally {
            ended.ring();
        }
    }

    private void read(Question question) {
        store.run(question.tenant(), question.run()).map(RunCard::of).ifPresentOrElse(question.then(), dropped);
    }

    /** Reads what is yet to be read, for a while, and ends. */
    @Override
    public void close() {
        closed = true;
        bell.ring();
        try {
            ended.await(AT_END);
        } catch (InterruptedException e) {
            // Whoever closes is in a hurry.
            Thread.currentThread().interrupt();
        }
        givenUp = true;
    }
}
