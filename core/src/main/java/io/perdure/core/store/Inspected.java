package io.perdure.core.store;

import io.perdure.core.store.RunQuery.Cursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link Inspect} found, in the order in which the runs were looked at.
 *
 * @param next where to go on: the place of the last run that was looked at; null where there are no more
 */
public record Inspected(List<Suspect> suspects, @Nullable Cursor next) {
    public Inspected {
        suspects = List.copyOf(suspects);
    }
}
