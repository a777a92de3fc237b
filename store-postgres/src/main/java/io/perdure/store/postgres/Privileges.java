package io.perdure.store.postgres;

import io.perdure.core.store.Finding;
import java.sql.SQLException;
import java.util.List;

/** Looks whether the role may do what Perdure does: a role that only works has just what it was granted. */
final class Privileges {
    private static final String ADVICE =
            "Grant it, as docs/reference/postgres.md tells; after a migration, to what is new as well.";

    private static final String LACKING = """
            SELECT what FROM (
                SELECT 'USAGE on schema ' || quote_ident(nspname) AS what FROM pg_namespace
                WHERE nspname = ? AND NOT has_schema_privilege(oid, 'USAGE')
                UNION ALL
                SELECT privilege || ' on table ' || c.relname FROM pg_class c
                JOIN pg_namespace space ON space.oid = c.relnamespace
                CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS privilege
                WHERE space.nspname = ? AND c.relname <> 'migration'
                    AND CASE c.relkind WHEN 'r' THEN NOT has_table_privilege(c.oid, privilege) ELSE false END
                UNION ALL
                SELECT 'SELECT on table migration' FROM pg_class c JOIN pg_namespace space ON space.oid = c.relnamespace
                WHERE space.nspname = ? AND c.relname = 'migration' AND NOT has_table_privilege(c.oid, 'SELECT')
                UNION ALL
                SELECT 'USAGE on sequence ' || c.relname FROM pg_class c JOIN pg_namespace space ON space.oid = c.relnamespace
                WHERE space.nspname = ? AND CASE c.relkind WHEN 'S' THEN NOT has_sequence_privilege(c.oid, 'USAGE') ELSE false END
                UNION ALL
                SELECT 'EXECUTE on function ' || p.proname FROM pg_proc p JOIN pg_namespace space ON space.oid = p.pronamespace
                WHERE space.nspname = ? AND NOT has_function_privilege(p.oid, 'EXECUTE')
            ) lacking ORDER BY what
            """;

    private static final int MOST_NAMED = 5;

    private final Session session;
    private final PostgresUrl url;

    Privileges(Session session, PostgresUrl url) {
        this.session = session;
        this.url = url;
    }

    List<Finding> findings() {
        try {
            String role =
                    session.first("SELECT current_user", row -> row.text(1)).orElseThrow();
            String schema = url.schema();
            List<String> lacking = session.list(LACKING, row -> row.text(1), schema, schema, schema, schema, schema);
            if (lacking.isEmpty()) {
                return List.of(Finding.ok("privileges", "The role %s may do all that Perdure does.".formatted(role)));
            }
            String more = lacking.size() > MOST_NAMED ? " and %s more".formatted(lacking.size() - MOST_NAMED) : "";
            return List.of(Finding.problem(
                    "privileges",
                    "The role %s lacks %s%s."
                            .formatted(
                                    role,
                                    String.join(", ", lacking.subList(0, Math.min(MOST_NAMED, lacking.size()))),
                                    more),
                    ADVICE));
        } catch (SQLException e) {
            return List.of(Finding.problem("privileges", PostgresErrors.of(e, url)));
        }
    }
}
