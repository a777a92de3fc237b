package io.perdure.sdk.run;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of runs, the newest first. One call looks at a bounded number of them: where few fit what was asked for, a page can have
 * fewer runs than the limit, or none, and still have a next page.
 *
 * @param runs what was found
 * @param next where the next page of the same filter begins; absent where there is none. It holds while runs come, end and go
 */
public record RunList(List<RunInfo> runs, @Nullable String next) {
    public RunList {
        runs = List.copyOf(runs);
    }
}
