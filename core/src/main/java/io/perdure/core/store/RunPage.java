package io.perdure.core.store;

import io.perdure.core.store.RunQuery.Cursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of runs, as a {@link RunQuery} asks for them. A store looks at no more than {@code calls.examinedRows} rows for one
 * page: where few of them are what was asked for, a page has fewer runs than it may have, or none, and yet there is a next one.
 *
 * @param next where to go on; null where there is nothing more
 */
public record RunPage(List<RunRow> runs, @Nullable Cursor next) {
    public RunPage {
        runs = List.copyOf(runs);
    }
}
