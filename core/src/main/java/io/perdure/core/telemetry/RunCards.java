package io.perdure.core.telemetry;

import io.perdure.core.store.RunRow;
import io.perdure.core.store.Store;
import io.perdure.sdk.Limits;
import io.perdure.sdk.UnreadableHistoryException;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The {@linkplain RunCard cards} of runs that something happened to of late. Whoever brings a run's commit to the store must not wait for more than that:
 * a card that is not here is read {@linkplain Aside aside}, and what was to be told with it is told then.
 */
final class RunCards implements AutoCloseable {
    /** An end with a lower number is the first: a run is created, has failed and was redriven before it ends again. */
    private static final long SECOND_END = 3;

    private static final int PAGE = 100;
    private static final int PAGE_BYTES = Limits.defaults().calls().readBytes();

    private final Store store;
    private final Aside aside;
    private final Teller teller;
    private final Map<RunId, RunCard> cards;

    /**
     * The end of a run.
     *
     * @param lease the token of the lease that it was committed under; absent where it came from outside
     * @param seq the number of the event that ended it
     */
    record End(TenantId tenant, RunId run, @Nullable UUID lease, long seq) {}

    /**
     * Cards of runs in a store.
     *
     * @param most how many are kept
     * @param aside is closed with this
     * @param teller is told of what fails once a card was read
     */
    RunCards(Store store, int most, Aside aside, Teller teller) {
        this.store = store;
        this.aside = aside;
        this.teller = teller;
        this.cards = Latest.of(most);
    }

    void keep(RunCard card) {
        cards.put(card.run(), card);
    }

    void forget(RunId run) {
        cards.remove(run);
    }

    /** Tells something with the card of a run: now where it is kept, soon where it has to be read. When it was redriven is not to be asked of it. */
    void with(TenantId tenant, RunId run, Consumer<RunCard> then) {
        RunCard card = cards.get(run);
        if (card != null) {
            then.accept(card);
        } else {
            aside.lookups().add(() -> read(tenant, run).ifPresent(read -> teller.tell(() -> then.accept(read))));
        }
    }

    /** Tells something with the card of a run that has ended, which says when it was redriven, whoever did that. */
    void atEnd(End end, Consumer<RunCard> then) {
        RunCard card = cards.get(end.run());
        if (card != null && knows(card, end)) {
            then.accept(card);
        } else {
            aside.lookups()
                    .add(() -> read(end.tenant(), end.run()).ifPresent(read -> {
                        RunCard whole = read.redriven(redrivenAt(end));
                        teller.tell(() -> then.accept(whole));
                    }));
        }
    }

    /** A run that fails loses its lease: who still has the one that its card was read under has missed no redrive. */
    private static boolean knows(RunCard card, End end) {
        return end.seq() < SECOND_END || (card.lease() != null && card.lease().equals(end.lease()));
    }

    private Optional<RunCard> read(TenantId tenant, RunId run) {
        RunRow row = store.run(tenant, run).orElse(null);
        if (row == null) {
            aside.lookups().miss(() -> "Run " + run + " is not there any more.");
            return Optional.empty();
        }
        RunCard card = RunCard.of(row);
        if (!row.status().isTerminal()) {
            // One that its holder has brought meanwhile knows more.
            cards.putIfAbsent(run, card);
        }
        return Optional.of(card);
    }

    /** From the end back: most histories are short, and what is looked for is near it. */
    private @Nullable Instant redrivenAt(End end) {
        try {
            for (long until = end.seq(); until >= SECOND_END; until -= PAGE) {
                Instant at = redrivenAt(end, Math.max(0, until - PAGE), until);
                if (at != null) {
                    return at;
                }
            }
        } catch (UnreadableHistoryException e) {
            // That it has ended is worth telling all the same.
            return null;
        }
        return null;
    }

    /** The newest redrive between two events, which are read in pages of bounded size. */
    private @Nullable Instant redrivenAt(End end, long from, long until) {
        Instant newest = null;
        long next = from;
        while (next < until) {
            List<Recorded> page =
                    store.history(end.tenant(), end.run(), next, Math.toIntExact(until - next), PAGE_BYTES);
            if (page.isEmpty()) {
                break;
            }
            Instant at = RunCard.redrivenAt(page);
            newest = at == null ? newest : at;
            next = page.getLast().seq() + 1;
        }
        return newest;
    }

    /** Reads what is yet to be read, has the spans written that are yet to be written, for a while, and ends. */
    @Override
    public void close() {
        aside.close();
    }
}
