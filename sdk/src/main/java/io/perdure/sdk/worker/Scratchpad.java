package io.perdure.sdk.worker;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the start of a run and its completed steps have written, the newest of each entry; and how often each step has completed. */
final class Scratchpad {
    private final Map<String, Json> entries = new HashMap<>();
    private final Map<StepName, Integer> completions = new HashMap<>();

    Scratchpad(List<Recorded> history) {
        history.forEach(recorded -> {
            if (recorded.event() instanceof Event.RunCreated created) {
                entries.putAll(created.writes());
            } else if (recorded.event() instanceof Event.StepCompleted done) {
                add(done);
            }
        });
    }

    /** A step has completed. */
    void add(Event.StepCompleted done) {
        entries.putAll(done.writes());
        completions.merge(done.step(), 1, Integer::sum);
    }

    /** How often a step has completed. */
    int completions(StepName step) {
        return completions.getOrDefault(step, 0);
    }

    Optional<Json> find(String key) {
        return Optional.ofNullable(entries.get(key));
    }
}
