package io.perdure.core.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.Map;

/** The counters of one name, of which there are as many as there are things. One thread at a time changes them. */
final class CounterRows {
    private final MeterRegistry registry;
    private final String name;
    private final String description;
    private final Map<Tags, Counter> rows = new HashMap<>();

    CounterRows(MeterRegistry registry, String name, String description) {
        this.registry = registry;
        this.name = name;
        this.description = description;
    }

    /** Counts these on by so much, and shows no others any more. */
    void add(Map<Tags, Double> growth) {
        growth.forEach((tags, by) -> row(tags).increment(by));
        rows.entrySet().removeIf(row -> {
            boolean gone = !growth.containsKey(row.getKey());
            if (gone) {
                registry.remove(row.getValue());
            }
            return gone;
        });
    }

    private Counter row(Tags tags) {
        return rows.computeIfAbsent(
                tags,
                _ -> Counter.builder(name).description(description).tags(tags).register(registry));
    }
}
