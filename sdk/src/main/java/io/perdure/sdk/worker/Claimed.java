package io.perdure.sdk.worker;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a {@link Claim}.
 *
 * @param nextIn how long it takes until a run becomes due by itself; absent where none will
 */
public record Claimed(List<Assignment> runs, @Nullable Duration nextIn) {
    public Claimed {
        runs = List.copyOf(runs);
    }
}
