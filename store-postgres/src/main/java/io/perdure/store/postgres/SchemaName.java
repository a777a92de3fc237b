package io.perdure.store.postgres;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The schema that the tables are in. SQL is written with the name {@code perdure}, so that it can be read and pasted; where the
 * schema is called otherwise, this puts that name in its place. Safe for many threads.
 */
final class SchemaName {
    private static final String DEFAULT = PostgresUrl.DEFAULT_SCHEMA;
    /** The word, not a part of another; after an apostrophe it is text and must not be quoted. */
    private static final Pattern WORD = Pattern.compile("(?<mark>')?(?<![\\w.$\"])" + DEFAULT + "(?![\\w$\"])");

    private static final Pattern QUALIFIER = Pattern.compile(WORD.pattern() + "(?=\\.)");

    private final String name;
    private final Map<String, String> statements = new ConcurrentHashMap<>();

    SchemaName(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /** A statement with every {@code perdure.} replaced, remembered by its text: there are not many. */
    String in(String sql) {
        return name.equals(DEFAULT) ? sql : statements.computeIfAbsent(sql, text -> replaced(QUALIFIER, text));
    }

    /** A script with every word {@code perdure} replaced. */
    String inScript(String sql) {
        return name.equals(DEFAULT) ? sql : replaced(WORD, sql);
    }

    private String replaced(Pattern pattern, String sql) {
        return pattern.matcher(sql)
                .replaceAll(found ->
                        Matcher.quoteReplacement(found.group().startsWith("'") ? "'" + name : "\"" + name + "\""));
    }
}
