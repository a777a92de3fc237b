package io.perdure.benchmarks;

import io.perdure.cli.Terminal;
import io.perdure.cli.TextTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What {@code perdure bench queue-tables} or {@code run-tables} found.
 *
 * @param done the messages or runs that were done
 */
record TablesReport(String machine, long done, List<Slice> slices, List<Look> looks) {
    private static final double MEGABYTE = 1_048_576;

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

    TablesReport {
        slices = List.copyOf(slices);
        looks = List.copyOf(looks);
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("machine", machine);
        json.put("done", done);
        json.put("slices", slices.stream().map(Slice::json).toList());
        json.put("looks", looks.stream().map(Look::json).toList());
        return json;
    }

    /** @param what is counted: messages or runs */
    void print(Terminal terminal, String what) {
        terminal.out().println(machine);
        terminal.out().println();
        TextTable table = new TextTable("FROM", "TRANSACTION", "PROCESSED", "DEAD ROWS", "TABLES AND INDEXES");
        slices.forEach(slice -> table.row(
                Math.round(slice.second()) + " s",
                slice.phase().shown(),
                count(Math.round(slice.perSecond())) + "/s",
                count(slice.deadRows()),
                megabytes(slice.bytes())));
        table.print(terminal);
        terminal.out().println();
        terminal.out().println(count(done) + " " + what + " went through.");
        looks.forEach(look -> print(terminal, look));
    }

    private static void print(Terminal terminal, Look look) {
        terminal.out().println();
        terminal.out().println(look.when() + ":");
        TextTable tables = new TextTable(
                "TABLE", "SIZE", "INDEXES", "LIVE ROWS", "DEAD ROWS", "UPDATES", "OF THEM HOT", "AUTOVACUUMS");
        look.tables()
                .forEach(table -> tables.row(
                        table.name(),
                        megabytes(table.bytes()),
                        megabytes(table.indexBytes()),
                        count(table.liveRows()),
                        count(table.deadRows()),
                        count(table.updates()),
                        count(table.hotUpdates()),
                        count(table.vacuums())));
        tables.print(terminal);
    }

    private static String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f MiB", bytes / MEGABYTE);
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
