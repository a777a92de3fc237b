package io.perdure.benchmarks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What {@code perdure bench queue-tables} found. */
record QueueTablesReport(String machine, long messages, List<Slice> slices, List<Look> looks) {
    /** Where a slice lies beside the transaction that is held. */
    enum Phase {
        BEFORE,
        HELD,
        AFTER;

        String shown() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A few seconds of the load.
     *
     * @param second at which it began
     * @param deadRows of all tables when it ended, as far as the server knew
     * @param bytes of all tables and their indexes then
     */
    record Slice(double second, Phase phase, double perSecond, long deadRows, long bytes) {
        Map<String, Object> json() {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("second", second);
            json.put("transaction", phase.shown());
            json.put("processed_per_s", Math.round(perSecond));
            json.put("dead_rows", deadRows);
            json.put("bytes", bytes);
            return json;
        }
    }

    /** The tables at one time. */
    record Look(String when, List<TableState> tables) {
        Look {
            tables = List.copyOf(tables);
        }

        Map<String, Object> json() {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("when", when);
            json.put("tables", tables.stream().map(TableState::json).toList());
            return json;
        }
    }

    QueueTablesReport {
        slices = List.copyOf(slices);
        looks = List.copyOf(looks);
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("machine", machine);
        json.put("messages", messages);
        json.put("slices", slices.stream().map(Slice::json).toList());
        json.put("looks", looks.stream().map(Look::json).toList());
        return json;
    }
}
