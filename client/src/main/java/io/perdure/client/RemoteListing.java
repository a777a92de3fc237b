package io.perdure.client;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.run.RunCount;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.run.RunInfo;
import io.perdure.sdk.run.RunList;
import io.perdure.sdk.wire.FieldReader;
import io.perdure.sdk.wire.OperationJson;
import io.perdure.sdk.wire.RunJson;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds runs. */
final class RemoteListing {
    /** Most runs, or messages, that the server puts into one page. */
    static final int PAGE = Limits.defaults().rest().pageMax();

    private static final int MOST = Limits.defaults().calls().pageRows();

    private final Calls calls;

    RemoteListing(Calls calls) {
        this.calls = calls;
    }

    /** A page of runs, put together from as many of the server's as it takes. */
    RunList list(RunFilter filter, int limit, @Nullable String after) {
        requireLimit("runs", limit);
        if (after != null) {
            filter.requirePlace(after);
        }
        List<RunInfo> found = new ArrayList<>();
        String place = after;
        while (true) {
            int asked = Math.min(limit - found.size(), PAGE);
            RunList page = page(filter, asked, place);
            found.addAll(page.runs());
            place = page.next();
            // One with fewer says that the server has looked at as much as it may.
            if (place == null || page.runs().size() < asked || found.size() == limit) {
                return new RunList(found, place);
            }
        }
    }

    private RunList page(RunFilter filter, int limit, @Nullable String after) {
        RunQueryString query = new RunQueryString(filter).put("limit", Integer.toString(limit));
        if (after != null) {
            query.put("cursor", after);
        }
        return calls.ask(Call.get(query.under("")), RunJson::list);
    }

    long count(RunFilter filter) {
        return calls.ask(
                Call.get(new RunQueryString(filter).under("/count")).lasting(Calls.LONG),
                answer -> FieldReader.of(answer).integer("count"));
    }

    List<RunCount> counts() {
        return calls.ask(Call.get(Paths.WORKFLOWS), OperationJson::counts);
    }

    /** Throws {@code PD-007} unless a list may have so many. */
    static void requireLimit(String what, int limit) {
        if (limit < 1 || limit > MOST) {
            throw new InvalidValueException(
                    ErrorCode.OUT_OF_BOUNDS,
                    "The number of " + what + " in a list is " + limit + "; it must lie between 1 and " + MOST + ".");
        }
    }
}
