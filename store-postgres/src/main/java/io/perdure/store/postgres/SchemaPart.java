package io.perdure.store.postgres;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One thing in a schema, said in a way that neither the schema's name nor the server's version changes.
 *
 * @param kind a word such as {@code table} or {@code index}
 * @param table the one that it belongs to; empty for what belongs to none
 * @param definition how it is; of functions only a digest, of all that have the same name
 */
record SchemaPart(String kind, String table, String name, String definition) {
    private static final String RESOURCE = "schema.txt";

    private static final Pattern LINE =
            Pattern.compile("(?<kind>\\w+) (?:(?<table>\\w+)\\.)?(?<name>\\w+): (?<definition>.*)");

    /** Indexes of constraints are told as constraints. Not null is told with the column, though Postgres 18 has it among both. */
    private static final String PARTS = """
            WITH space AS (SELECT oid, nspname, quote_ident(nspname) || '.' AS qualifier FROM pg_namespace WHERE nspname = ?),
            relation AS (
                SELECT c.oid, c.relname, c.relkind, c.relpersistence, c.relrowsecurity, space.qualifier
                FROM pg_class c JOIN space ON space.oid = c.relnamespace)
            SELECT CASE relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'table' WHEN 'S' THEN 'sequence' ELSE 'view' END, '', relname,
                CASE relpersistence WHEN 'u' THEN 'unlogged' ELSE 'logged' END
                || CASE relkind WHEN 'p' THEN ', partitioned' ELSE '' END
                || CASE WHEN relrowsecurity THEN ', with row security' ELSE '' END
            FROM relation WHERE relkind IN ('r', 'p', 'S', 'v', 'm', 'f')
            UNION ALL
            SELECT 'column', r.relname, a.attname, format_type(a.atttypid, a.atttypmod)
                || coalesce(' COLLATE ' || quote_ident(l.collname), '')
                || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
                || CASE a.attidentity WHEN '' THEN '' WHEN 'a' THEN ' ALWAYS IDENTITY' ELSE ' IDENTITY' END
                || coalesce(CASE a.attgenerated WHEN '' THEN ' DEFAULT ' ELSE ' GENERATED AS ' END
                    || replace(pg_get_expr(d.adbin, d.adrelid), r.qualifier, ''), '')
            FROM relation r JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
            JOIN pg_type t ON t.oid = a.atttypid
            LEFT JOIN pg_collation l ON l.oid = a.attcollation AND a.attcollation <> t.typcollation
            LEFT JOIN pg_attrdef d ON d.adrelid = r.oid AND d.adnum = a.attnum
            WHERE r.relkind IN ('r', 'p')
            UNION ALL
            SELECT 'constraint', r.relname, k.conname, replace(pg_get_constraintdef(k.oid), r.qualifier, '')
            FROM relation r JOIN pg_constraint k ON k.conrelid = r.oid AND k.contype IN ('p', 'u', 'c', 'f', 'x')
            UNION ALL
            SELECT 'index', r.relname, own.relname, replace(pg_get_indexdef(i.indexrelid), ' ON ' || r.qualifier, ' ON ')
            FROM relation r JOIN pg_index i ON i.indrelid = r.oid JOIN pg_class own ON own.oid = i.indexrelid
            WHERE r.relkind IN ('r', 'p') AND NOT EXISTS (
                SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
            UNION ALL
            SELECT 'trigger', r.relname, t.tgname, 'enabled ' || t.tgenabled::text
            FROM relation r JOIN pg_trigger t ON t.tgrelid = r.oid AND NOT t.tgisinternal
            UNION ALL
            SELECT 'rule', r.relname, w.rulename, 'enabled ' || w.ev_enabled::text
            FROM relation r JOIN pg_rewrite w ON w.ev_class = r.oid WHERE r.relkind IN ('r', 'p')
            UNION ALL
            SELECT 'function', '', p.proname, left(encode(sha256(convert_to(string_agg(concat_ws(' ',
                replace(pg_get_function_arguments(p.oid), s.qualifier, ''),
                replace(pg_get_function_result(p.oid), s.qualifier, ''),
                l.lanname, p.provolatile, p.prosecdef, p.proisstrict, p.proconfig::text,
                CASE s.nspname WHEN 'perdure' THEN replace(p.prosrc, 'perdure.', '@.')
                    ELSE replace(replace(p.prosrc, '"' || s.nspname || '".', '@.'), '''' || s.nspname || '.', '''@.') END
                ), ' ' ORDER BY p.pronargs, pg_get_function_arguments(p.oid)), 'UTF8')), 'hex'), 32)
            FROM pg_proc p JOIN space s ON s.oid = p.pronamespace JOIN pg_language l ON l.oid = p.prolang GROUP BY p.proname
            """;

    /** Those that are there, whoever made them. */
    static List<SchemaPart> found(Session session, String schema) throws SQLException {
        return session.list(PARTS, row -> new SchemaPart(row.text(1), row.text(2), row.text(3), row.text(4)), schema);
    }

    /** Those that the migrations of this release make. */
    static List<SchemaPart> made() {
        try (InputStream text = SchemaPart.class.getResourceAsStream(RESOURCE)) {
            if (text == null) {
                throw new IllegalStateException("no resource " + RESOURCE);
            }
            return new BufferedReader(new InputStreamReader(text, StandardCharsets.UTF_8))
                    .lines()
                    .map(SchemaPart::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("resource " + RESOURCE, e);
        }
    }

    private static SchemaPart parse(String line) {
        Matcher words = LINE.matcher(line);
        if (!words.matches()) {
            throw new IllegalStateException("the resource %s has the line %s".formatted(RESOURCE, line));
        }
        String table = words.group("table");
        return new SchemaPart(
                words.group("kind"), table == null ? "" : table, words.group("name"), words.group("definition"));
    }

    boolean is(String word) {
        return kind.equals(word);
    }

    /** Tells it from all others of a schema: {@code column run.tenant}. */
    String title() {
        return kind + " " + (table.isEmpty() ? "" : table + ".") + name;
    }

    /** As it stands in the resource. */
    String line() {
        return title() + ": " + definition;
    }
}
