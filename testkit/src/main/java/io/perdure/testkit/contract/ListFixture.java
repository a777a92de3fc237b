package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.RunPage;
import io.perdure.core.store.RunQuery;
import io.perdure.core.store.RunQuery.Cursor;
import io.perdure.core.store.RunQuery.Order;
import io.perdure.core.store.RunRow;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.testkit.StoreFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Short words for lists of runs. */
abstract class ListFixture extends StoreFixture {
    ListFixture(StoreFactory factory, Limits limits) {
        super(factory, limits);
    }

    /** A question in the making: everything of the usual tenant, in pages of a thousand, unless a test says otherwise. */
    record Asked(
            Order order,
            @Nullable WorkflowName workflow,
            @Nullable RunStatus status,
            @Nullable Instant since,
            @Nullable Instant until,
            Map<String, String> tags,
            int limit) {
        Asked of(WorkflowName name) {
            return new Asked(order, name, status, since, until, tags, limit);
        }

        Asked in(RunStatus which) {
            return new Asked(order, workflow, which, since, until, tags, limit);
        }

        Asked between(@Nullable Instant from, @Nullable Instant to) {
            return new Asked(order, workflow, status, from, to, tags, limit);
        }

        Asked with(Map<String, String> all) {
            return new Asked(order, workflow, status, since, until, all, limit);
        }

        Asked atMost(int rows) {
            return new Asked(order, workflow, status, since, until, tags, rows);
        }

        RunQuery from(@Nullable Cursor after) {
            return new RunQuery(TENANT, order, workflow, status, since, until, tags, after, limit);
        }
    }

    static Asked byStart() {
        return new Asked(Order.STARTED, null, null, null, null, Map.of(), 1_000);
    }

    static Asked byEnd() {
        return new Asked(Order.COMPLETED, null, null, null, null, Map.of(), 1_000);
    }

    /** All runs that are listed, page by page: each page brings something or goes on, and none has more than it may. */
    final List<RunId> listed(Asked asked) {
        List<RunId> seen = new ArrayList<>();
        Cursor after = null;
        do {
            RunPage page = store.runs(asked.from(after));
            Cursor next = page.next();
            assertThat(page.runs()).hasSizeLessThanOrEqualTo(asked.limit());
            assertThat(after == null || next == null || after.isBefore(next))
                    .as("from %s to %s", after, next)
                    .isTrue();
            page.runs().forEach(run -> seen.add(run.id()));
            after = next;
        } while (after != null);
        return seen;
    }

    final List<RunId> firstPage(Asked asked) {
        return store.runs(asked.from(null)).runs().stream().map(RunRow::id).toList();
    }
}
