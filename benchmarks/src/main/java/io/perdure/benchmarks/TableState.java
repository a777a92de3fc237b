package io.perdure.benchmarks;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the server says of a table.
 *
 * @param bytes of the table without its indexes
 * @param hotUpdates among the updates: those that stayed within their page and touched no index
 * @param vacuums by the server itself
 */
record TableState(
        String name,
        long bytes,
        long indexBytes,
        long liveRows,
        long deadRows,
        long updates,
        long hotUpdates,
        long vacuums) {
    private static final String READ = """
            SELECT relname, pg_table_size(relid), pg_indexes_size(relid), n_live_tup, n_dead_tup, n_tup_upd, n_tup_hot_upd,
                   autovacuum_count
            FROM pg_stat_user_tables WHERE schemaname = ? AND n_tup_ins > 0
            ORDER BY pg_total_relation_size(relid) DESC, relname""";

    /** The tables that anything was written to, largest first. */
    static List<TableState> all(PostgresTarget target) {
        try (Connection connection = target.connect()) {
            return all(connection, target.schema());
        } catch (SQLException e) {
            throw new IllegalStateException("The server does not tell the size of its tables.", e);
        }
    }

    private static List<TableState> all(Connection connection, String schema) throws SQLException {
        List<TableState> tables = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(READ)) {
            statement.setString(1, schema);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    tables.add(new TableState(
                            row.getString(1),
                            row.getLong(2),
                            row.getLong(3),
                            row.getLong(4),
                            row.getLong(5),
                            row.getLong(6),
                            row.getLong(7),
                            row.getLong(8)));
                }
            }
        }
        return tables;
    }

    long totalBytes() {
        return bytes + indexBytes;
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("table", name);
        json.put("table_bytes", bytes);
        json.put("index_bytes", indexBytes);
        json.put("live_rows", liveRows);
        json.put("dead_rows", deadRows);
        json.put("updates", updates);
        json.put("hot_updates", hotUpdates);
        json.put("autovacuums", vacuums);
        return json;
    }
}
