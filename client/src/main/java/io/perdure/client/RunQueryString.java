package io.perdure.client;

import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.run.RunFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A filter of runs as a URL says it: the workflow in the path, the rest in the query. */
final class RunQueryString {
    private final @Nullable WorkflowName workflow;
    private final List<String> parameters = new ArrayList<>();

    RunQueryString(RunFilter filter) {
        this.workflow = filter.workflow();
        if (filter.status() != null) {
            put("status", filter.status().word());
        }
        if (filter.since() != null) {
            put("since", filter.since().toString());
        }
        if (filter.until() != null) {
            put("until", filter.until().toString());
        }
        // In a fixed order, so that the same filter is the same URL.
        new TreeMap<>(filter.tags()).forEach((name, value) -> put("tag." + name, value));
        filter.input().forEach(part -> put("input", part.text()));
        if (filter.waiting()) {
            put("waiting", "true");
        }
    }

    /** Asks for one thing more. */
    RunQueryString put(String name, String value) {
        parameters.add(Paths.encoded(name) + "=" + Paths.encoded(value));
        return this;
    }

    /** The path of what is asked of these runs, such as {@code /count}, with the query. */
    String under(String what) {
        String runs = workflow == null ? Paths.RUNS : Paths.WORKFLOWS + "/" + Paths.encoded(workflow.value()) + "/runs";
        return runs + what + (parameters.isEmpty() ? "" : "?" + String.join("&", parameters));
    }
}
