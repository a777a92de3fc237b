package io.perdure.core.telemetry;

import io.perdure.core.store.Store;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The {@linkplain RunCard cards} of the runs that are in somebody's hands. Whoever brings a run's commit to the store must not wait for more than
 * that: a card that is not here is read by a thread of its own, and what was to be told with it is told then.
 */
final class RunCards implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(RunCards.class.getPackageName());
    private static final Duration REST = Duration.ofSeconds(1);

    private final Store store;
    private final int most;
    private final Runnable dropped;
    private final Map<RunId, RunCard> cards = new ConcurrentHashMap<>();
    private final Queue<Question> questions = new ConcurrentLinkedQueue<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final Bell bell;
    private final Thread reader;
    private volatile boolean closed;

    private record Question(TenantId tenant, RunId run, Consumer<RunCard> then) {}

    /**
     * Cards of runs in a store.
     *
     * @param most how many are kept, and how many may be yet to be read
     * @param dropped is told of one that could not be read, or not in time
     */
    RunCards(Store store, Environment environment, int most, Runnable dropped) {
        this.store = store;
        this.most = most;
        this.dropped = dropped;
        this.bell = environment.bell();
        this.reader = environment.start("perdure-telemetry", this::readAll);
    }

    /** Keeps one for as long as its run is in somebody's hands; not beyond what there is room for. */
    void keep(RunCard card) {
        if (cards.size() < most) {
            cards.put(card.run(), card);
        }
    }

    void forget(RunId run) {
        cards.remove(run);
    }

    /** The card, if it is kept. */
    @Nullable
    RunCard find(RunId run) {
        return cards.get(run);
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
            while (true) {
                Question question = questions.poll();
                if (question != null) {
                    asked.decrementAndGet();
                    read(question);
                } else if (closed) {
                    return;
                } else {
                    bell.await(REST);
                }
            }
        } catch (InterruptedException e) {
            // Nobody of ours interrupts this thread: who does wants it to end.
            Thread.currentThread().interrupt();
        }
    }

    private void read(Question question) {
        try {
            Optional<RunCard> card =
                    store.run(question.tenant(), question.run()).map(RunCard::of);
            card.ifPresentOrElse(question.then(), dropped);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "Run " + question.run() + " is not told of.", e);
            dropped.run();
        }
    }

    /** Reads what is yet to be read, and ends. */
    @Override
    public void close() {
        closed = true;
        bell.ring();
        try {
            reader.join();
        } catch (InterruptedException e) {
            // Whoever closes is in a hurry. A card that meets a closed store is dropped.
            Thread.currentThread().interrupt();
        }
    }
}
