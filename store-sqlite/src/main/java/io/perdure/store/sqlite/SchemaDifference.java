package io.perdure.store.sqlite;

import io.perdure.sdk.StoreException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Compares the tables and indexes of a database with those that the migrations make, which are made in memory for that. */
final class SchemaDifference {
    private static final String OBJECTS = "SELECT type || ' ' || name, sql FROM sqlite_schema WHERE sql IS NOT NULL";

    private SchemaDifference() {}

    /** What differs, by name: missing, changed or added. */
    static List<String> of(Session database) {
        Map<String, String> found = objects(database);
        Map<String, String> made = made();
        TreeSet<String> names = new TreeSet<>(found.keySet());
        names.addAll(made.keySet());
        return names.stream()
                .filter(name -> !found.getOrDefault(name, "").equals(made.getOrDefault(name, "")))
                .map(name -> name
                        + (found.containsKey(name)
                                ? made.containsKey(name) ? " was changed" : " was added"
                                : " is missing"))
                .toList();
    }

    private static Map<String, String> made() throws StoreException {
        Path memory = Path.of("memory");
        try (Session session = new Session(DriverManager.getConnection("jdbc:sqlite::memory:"), memory)) {
            Migrations.ALL.forEach(migration -> session.script(migration.sql()));
            return objects(session);
        } catch (SQLException e) {
            throw SqliteErrors.of(e, memory);
        }
    }

    private static Map<String, String> objects(Session session) {
        return session.list(OBJECTS, row -> Map.entry(row.text(1), row.text(2))).stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (one, _) -> one, TreeMap::new));
    }
}
