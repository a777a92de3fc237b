package io.perdure.core.workflow;

import io.perdure.core.store.RunCount;
import io.perdure.core.store.RunPage;
import io.perdure.core.store.RunQuery;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.Store;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds runs. What the store keeps in order it is asked for; what a run's input holds is looked at here, row by row, and no more than
 * {@code calls.examinedRows} of them for one page.
 */
final class Listing {

    /** Rows of one look at the store where most may not fit: inputs can be long. */
    private static final int LOOK = 500;

    private final Store store;
    private final TenantId tenant;
    private final Limits.Calls limits;

    Listing(Workflows.Setup setup) {
        this.store = setup.store();
        this.tenant = setup.tenant();
        this.limits = setup.limits().calls();
    }

    /** A page of runs, from a place that the page before named. */
    RunList list(RunFilter filter, int limit, @Nullable String after) {
        if (limit < 1 || limit > limits.pageRows()) {
            throw new InvalidValueException(
                    ErrorCode.OUT_OF_BOUNDS,
                    "The number of runs in a list is " + limit + "; it must lie between 1 and " + limits.pageRows()
                            + ".");
        }
        Page page = page(filter, limit, after == null ? null : place(filter.order(), after));
        return new RunList(page.runs(), page.next() == null ? null : text(filter.order(), page.next()));
    }

    /** A page, and where the next one begins. */
    record Page(List<RunRow> runs, RunQuery.@Nullable Cursor next) {}

    /** A page of at most so many runs; it may have fewer, or none, and yet a next one. */
    Page page(RunFilter filter, int limit, RunQuery.@Nullable Cursor after) {
        Predicate<RunRow> fits = filter.beyondQuery(() -> new Serving(store.workers(tenant)));
        List<RunRow> found = new ArrayList<>();
        RunQuery.Cursor place = after;
        int examined = 0;
        while (true) {
            int ask = filter.looksAtRows() ? LOOK : limit - found.size();
            RunPage page = store.runs(filter.query(tenant, place, ask));
            for (int at = 0; at < page.runs().size(); at++) {
                RunRow row = page.runs().get(at);
                if (fits.test(row)) {
                    found.add(row);
                }
                if (found.size() == limit) {
                    boolean last = page.next() == null && at == page.runs().size() - 1;
                    return new Page(found, last ? null : cursor(filter.order(), row));
                }
            }
            examined += page.runs().size();
            place = page.next();
            // A page that is not full says that the store itself has looked at as much as it may.
            if (place == null || page.runs().size() < ask || examined >= limits.examinedRows()) {
                return new Page(found, place);
            }
        }
    }

    /** How many runs there are; by the store's books where they tell, else by looking at all that may be meant. */
    long count(RunFilter filter) {
        if (filter.isByStatus()) {
            return store.runCounts(tenant).stream()
                    .filter(count ->
                            filter.workflow() == null || filter.workflow().equals(count.workflow()))
                    .filter(count -> filter.status() == null || filter.status() == count.status())
                    .mapToLong(RunCount::count)
                    .sum();
        }
        long count = 0;
        RunQuery.Cursor place = null;
        do {
            Page page = page(filter, LOOK, place);
            count += page.runs().size();
            place = page.next();
        } while (place != null);
        return count;
    }

    private static RunQuery.Cursor cursor(RunQuery.Order order, RunRow row) {
        Instant at = order == RunQuery.Order.STARTED
                ? row.startedAt()
                : Objects.requireNonNull(row.completedAt(), "an ended run has an end");
        return new RunQuery.Cursor(at, row.id());
    }

    private static String text(RunQuery.Order order, RunQuery.Cursor place) {
        return word(order) + "_" + place.at() + "_" + place.run();
    }

    /** A list by another time has other places. */
    private static String word(RunQuery.Order order) {
        return switch (order) {
            case STARTED -> "started";
            case COMPLETED -> "ended";
        };
    }

    private static RunQuery.Cursor place(RunQuery.Order order, String text) {
        String[] parts = text.split("_", -1);
        try {
            if (parts.length == 3 && parts[0].equals(word(order))) {
                return new RunQuery.Cursor(Instant.parse(parts[1]), RunId.parse(parts[2]));
            }
        } catch (DateTimeException | InvalidValueException e) {
            throw new InvalidValueException(ErrorCode.INVALID_ID, notAPlace(order, text), e);
        }
        throw new InvalidValueException(ErrorCode.INVALID_ID, notAPlace(order, text));
    }

    private static String notAPlace(RunQuery.Order order, String text) {
        return "\"%s\" is no place in a list of runs by when they %s.".formatted(text, word(order));
    }

    /** Throws {@code PD-006} for what is no place in a list of such runs. */
    static void requirePlace(RunFilter filter, String text) {
        place(filter.order(), text);
    }
}
