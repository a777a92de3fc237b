package io.perdure.store.postgres;

import io.perdure.core.store.Finding;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares what is in a schema with what the migrations make. What they made and is not so is a problem. What somebody added is
 * none of ours, unless every write of ours has to do with it.
 */
final class SchemaDifference {
    private static final String ABOUT = "tables";
    private static final int MOST_NAMED = 5;

    private final Map<String, SchemaPart> made;
    private final Map<String, SchemaPart> found;

    private SchemaDifference(List<SchemaPart> made, List<SchemaPart> found) {
        this.made = byTitle(made);
        this.found = byTitle(found);
    }

    static SchemaDifference of(Session session, PostgresUrl url) throws SQLException {
        return new SchemaDifference(SchemaPart.made(), SchemaPart.found(session, url.schema()));
    }

    private static Map<String, SchemaPart> byTitle(List<SchemaPart> parts) {
        return parts.stream().collect(Collectors.toMap(SchemaPart::title, part -> part, (one, _) -> one, TreeMap::new));
    }

    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        List<String> wrong = Stream.concat(missing(), changed()).sorted().toList();
        if (!wrong.isEmpty()) {
            findings.add(
                    Finding.problem(
                            ABOUT,
                            "Not as the migrations made it: %s.".formatted(named(wrong)),
                            "Make it so again: `perdure migrate --print --from 0` shows how each was made. Or go back to a backup."));
        }
        List<String> inTheWay = added(true);
        if (!inTheWay.isEmpty()) {
            findings.add(
                    Finding.warning(
                            ABOUT,
                            "Somebody added to Perdure's own tables: %s.".formatted(named(inTheWay)),
                            "Drop what you can do without: writes can fail by it or wait for it, and so can a later migration."));
        }
        if (findings.isEmpty()) {
            findings.add(Finding.ok(ABOUT, sound()));
        }
        return findings;
    }

    /** The parts of a table that is missing are not told. */
    private Stream<String> missing() {
        return made.values().stream()
                .filter(part -> !found.containsKey(part.title()))
                .filter(part -> part.table().isEmpty() || found.containsKey("table " + part.table()))
                .map(part -> part.title() + " is missing");
    }

    private Stream<String> changed() {
        return made.values().stream()
                .flatMap(part -> Optional.ofNullable(found.get(part.title())).stream()
                        .filter(now -> !now.definition().equals(part.definition()))
                        .map(now -> part.is("function")
                                ? part.title() + " was changed"
                                : "%s is \"%s\" and was \"%s\""
                                        .formatted(part.title(), now.definition(), part.definition())));
    }

    /** What is not ours: in the way of our writes, or beside them. */
    private List<String> added(boolean inTheWay) {
        Set<String> parts = Set.of("column", "constraint", "trigger", "rule");
        return found.values().stream()
                .filter(part -> !made.containsKey(part.title()))
                .filter(part -> part.table().isEmpty() || made.containsKey("table " + part.table()))
                .filter(part -> inTheWay
                        == (parts.contains(part.kind()) || part.definition().startsWith("CREATE UNIQUE INDEX")))
                .map(SchemaPart::title)
                .toList();
    }

    private String sound() {
        List<String> beside = added(false);
        return "%s tables, %s indexes beside those of their keys and %s functions are as the migrations made them.%s"
                .formatted(
                        count("table"),
                        count("index"),
                        count("function"),
                        beside.isEmpty() ? "" : " Not Perdure's: %s.".formatted(named(beside)));
    }

    private long count(String kind) {
        return made.values().stream().filter(part -> part.is(kind)).count();
    }

    private static String named(List<String> all) {
        String more = all.size() > MOST_NAMED ? "; and %s more".formatted(all.size() - MOST_NAMED) : "";
        return String.join("; ", all.subList(0, Math.min(MOST_NAMED, all.size()))) + more;
    }
}
