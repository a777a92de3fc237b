package io.perdure.core.workflow;

import io.perdure.core.store.RunPage;
import io.perdure.core.store.RunQuery;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.Store;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.RunCount;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.run.RunList;
import io.perdure.sdk.run.RunPlace;
import io.perdure.sdk.run.Serving;
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
        Page page = page(filter, limit, place(filter, after));
        return new RunList(page.runs().stream().map(RunRow::info).toList(), text(filter, page.next()));
    }

    /** A page, and where the next one begins. */
    record Page(List<RunRow> runs, RunQuery.@Nullable Cursor next) {}

    /** A page of at most so many runs; it may have fewer, or none, and yet a next one. */
    Page page(RunFilter filter, int limit, RunQuery.@Nullable Cursor after) {
        Predicate<RunRow> fits = beyondQuery(filter);
        List<RunRow> found = new ArrayList<>();
        RunQuery.Cursor place = after;
        int examined = 0;
        while (true) {
            int ask = filter.looksAtRows() ? LOOK : limit - found.size();
            RunPage page = store.runs(query(filter, place, ask));
            for (int at = 0; at < page.runs().size(); at++) {
                RunRow row = page.runs().get(at);
                if (fits.test(row)) {
                    found.add(row);
                }
                if (found.size() == limit) {
                    boolean last = page.next() == null && at == page.runs().size() - 1;
                    return new Page(found, last ? null : cursor(order(filter), row));
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

    private static RunQuery.@Nullable Cursor place(RunFilter filter, @Nullable String text) {
        if (text == null) {
            return null;
        }
        RunPlace place = RunPlace.parse(filter.isByEnd(), text);
        return new RunQuery.Cursor(place.at(), place.run());
    }

    private static @Nullable String text(RunFilter filter, RunQuery.@Nullable Cursor place) {
        return place == null ? null : new RunPlace(filter.isByEnd(), place.at(), place.run()).toString();
    }

    private static RunQuery.Order order(RunFilter filter) {
        return filter.isByEnd() ? RunQuery.Order.COMPLETED : RunQuery.Order.STARTED;
    }

    private RunQuery query(RunFilter filter, RunQuery.@Nullable Cursor after, int limit) {
        return new RunQuery(
                tenant,
                order(filter),
                filter.workflow(),
                filter.status(),
                filter.since(),
                filter.until(),
                filter.tags(),
                after,
                limit);
    }

    /** What a store does not look at. */
    private Predicate<RunRow> beyondQuery(RunFilter filter) {
        List<Predicate<Json>> parts = filter.input().stream().map(Json::matcher).toList();
        Predicate<RunRow> fits = row ->
                parts.stream().allMatch(part -> part.test(row.definition().input()));
        if (!filter.waiting()) {
            return fits;
        }
        Serving serving = new Serving(store.workers(tenant));
        return fits.and(row -> serving.isUnserved(row.info()));
    }
}
