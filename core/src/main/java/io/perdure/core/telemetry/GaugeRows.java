package io.perdure.core.telemetry;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The gauges of one name, of which there are as many as there are things. A row that stays is one meter throughout, so that whoever looks meanwhile sees it
 * once. One thread at a time changes them.
 */
final class GaugeRows {
    private final MeterRegistry registry;
    private final String name;
    private final String description;
    private final @Nullable String unit;
    private final Map<Tags, Row> rows = new HashMap<>();

    private static final class Row {
        private volatile double value;
        private @Nullable Gauge gauge;
    }

    GaugeRows(MeterRegistry registry, String name, String description, @Nullable String unit) {
        this.registry = registry;
        this.name = name;
        this.description = description;
        this.unit = unit;
    }

    /** Shows these, and no others any more. */
    void show(Map<Tags, Double> values) {
        values.forEach((tags, value) -> row(tags).value = value);
        rows.entrySet().removeIf(row -> {
            boolean gone = !values.containsKey(row.getKey());
            if (gone && row.getValue().gauge != null) {
                registry.remove(row.getValue().gauge);
            }
            return gone;
        });
    }

    private Row row(Tags tags) {
        return rows.computeIfAbsent(tags, _ -> {
            Row row = new Row();
            row.gauge = Gauge.builder(name, row, one -> one.value)
                    .description(description)
                    .baseUnit(unit)
                    .tags(tags)
                    .strongReference(true)
                    .register(registry);
            return row;
        });
    }
}
