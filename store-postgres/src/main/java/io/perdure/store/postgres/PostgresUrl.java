package io.perdure.store.postgres;

import io.perdure.sdk.Nearest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;

/**
 * Where a store is and how to use it, as a URL says. What begins with {@code perdure.} is for us and does not reach the driver;
 * all else is the driver's. Its text never shows a password.
 *
 * @param hosts each with its port; several are one primary and its standbys
 * @param driver the driver's properties, user and password among them
 * @param connections that the pool may hold at most
 */
record PostgresUrl(
        List<String> hosts,
        String database,
        Map<String, String> driver,
        String schema,
        Pooler pooler,
        Migrate migrate,
        int connections) {
    static final String DEFAULT_SCHEMA = "perdure";
    static final int DEFAULT_CONNECTIONS = 8;
    private static final int FEWEST_CONNECTIONS = 2;
    private static final int MOST_CONNECTIONS = 100;

    private static final String OWN = "perdure.";
    private static final String SCHEMA = OWN + "schema";
    private static final String POOLER = OWN + "pooler";
    private static final String MIGRATE = OWN + "migrate";
    private static final String CONNECTIONS = OWN + "connections";
    private static final List<String> OWN_KEYS = List.of(SCHEMA, POOLER, MIGRATE, CONNECTIONS);

    /** With the prefixes of functions and indexes a name stays within the 63 bytes of Postgres. */
    private static final Pattern SCHEMA_NAME = Pattern.compile("[a-z_][a-z0-9_]{0,47}");

    /** What stands in the URL before the question mark, and what the store could not work with. */
    private static final Set<String> REFUSED =
            Set.of("PGHOST", "PGPORT", "PGDBNAME", "service", "replication", "readOnly", "autosave");

    /** What stands between us and the server. */
    enum Pooler {
        /** Nothing that matters: a session is ours until we end it. */
        NONE,
        /** PgBouncer or the like in transaction mode: a session is ours for one transaction. */
        TRANSACTION
    }

    /** What is done at the start where the schema is behind. */
    enum Migrate {
        /** It is brought up to date. */
        AUTO,
        /** The start is refused: somebody else changes the schema. */
        CHECK
    }

    PostgresUrl {
        hosts = List.copyOf(hosts);
        driver = Map.copyOf(driver);
    }

    /** Whether a URL is for Postgres. It may still be wrong in detail: then {@link #parse} says so. */
    static boolean isOne(String url) {
        return UrlText.isOne(url);
    }

    /** Reads a URL; throws {@code PD-210} for what it does not understand or what is out of bounds. Connects to nothing. */
    static PostgresUrl parse(String url) {
        UrlText text = UrlText.of(url);
        Map<String, String> own = new HashMap<>();
        Map<String, String> driver = new HashMap<>();
        text.parameters().forEach((key, value) -> {
            if (key.toLowerCase(Locale.ROOT).startsWith(OWN)) {
                own.put(known(text, key, OWN_KEYS), value);
            } else {
                driver.put(driverKey(text, key, value), value);
            }
        });
        Pooler pooler = choice(text, own, POOLER, Pooler.NONE);
        return new PostgresUrl(
                text.hosts(),
                text.database(),
                withDefaults(driver, pooler, text.hosts().size() > 1),
                schema(text, own.getOrDefault(SCHEMA, DEFAULT_SCHEMA)),
                pooler,
                choice(text, own, MIGRATE, Migrate.AUTO),
                connections(text, own.get(CONNECTIONS)));
    }

    /** What the driver is given, beside the properties. */
    String jdbc() {
        return UrlText.JDBC + "//" + server() + "/"
                + database.replace("%", "%25").replace("?", "%3F");
    }

    /** The hosts and their ports, for errors to name. */
    String server() {
        return String.join(",", hosts);
    }

    /** What people are told: no user, no password, no parameters. */
    String shown() {
        return UrlText.JDBC + "//" + server() + "/" + database;
    }

    @Override
    public String toString() {
        return shown();
    }

    private static Map<String, String> withDefaults(Map<String, String> given, Pooler pooler, boolean severalHosts) {
        Map<PGProperty, String> defaults = new TreeMap<>();
        defaults.put(PGProperty.APPLICATION_NAME, "perdure");
        defaults.put(PGProperty.TCP_KEEP_ALIVE, "true");
        defaults.put(PGProperty.BINARY_TRANSFER, "true");
        // Details quote rows, and an error with its causes may end up in a log.
        defaults.put(PGProperty.LOG_SERVER_ERROR_DETAIL, "false");
        defaults.put(PGProperty.CONNECT_TIMEOUT, "5");
        // A server that takes the connection and then says nothing.
        defaults.put(PGProperty.LOGIN_TIMEOUT, "10");
        // Longer than a statement may take, so that only a peer that is gone is given up.
        defaults.put(PGProperty.SOCKET_TIMEOUT, "25");
        // Every statement of ours is run again and again. Behind a pooler it would be prepared in somebody else's
        // session.
        defaults.put(PGProperty.PREPARE_THRESHOLD, pooler == Pooler.NONE ? "1" : "0");
        if (pooler == Pooler.NONE) {
            // Saves two round trips when connecting; a pooler would refuse what is sent instead.
            defaults.put(PGProperty.ASSUME_MIN_SERVER_VERSION, "9.0");
        }
        if (severalHosts) {
            defaults.put(PGProperty.TARGET_SERVER_TYPE, "primary");
        }
        Map<String, String> all = new HashMap<>();
        defaults.forEach((property, value) -> all.put(property.getName(), value));
        all.putAll(given);
        return all;
    }

    private static String driverKey(UrlText text, String key, String value) {
        if (REFUSED.contains(key)) {
            throw text.refused("The parameter \"%s\" cannot be used with Perdure.".formatted(key));
        }
        List<String> keys = Stream.concat(
                        Arrays.stream(PGProperty.values()).map(PGProperty::getName), OWN_KEYS.stream())
                .filter(name -> !REFUSED.contains(name))
                .toList();
        String known = known(text, key, keys);
        PGProperty property = PGProperty.forName(known);
        String[] choices = property == null ? null : property.getChoices();
        if (choices != null && !List.of(choices).contains(value)) {
            throw text.refused("%s is \"%s\", but must be %s.".formatted(key, value, String.join(" or ", choices)));
        }
        return known;
    }

    private static String known(UrlText text, String key, List<String> keys) {
        if (keys.contains(key)) {
            return key;
        }
        String near =
                Nearest.to(key, keys).map(" Did you mean \"%s\"?"::formatted).orElse("");
        throw text.refused("The parameter \"%s\" is not known.%s%s"
                .formatted(
                        key, near, key.startsWith(OWN) ? " There are %s.".formatted(String.join(", ", OWN_KEYS)) : ""));
    }

    private static String schema(UrlText text, String value) {
        if (!SCHEMA_NAME.matcher(value).matches()) {
            throw text.refused(
                    "%s is \"%s\", but must be 1 to 48 lower-case letters, digits and _, not beginning with a digit."
                            .formatted(SCHEMA, value));
        }
        if (value.startsWith("pg_") || value.equals("information_schema")) {
            throw text.refused("%s is \"%s\", which belongs to Postgres itself.".formatted(SCHEMA, value));
        }
        return value;
    }

    private static <E extends Enum<E>> E choice(UrlText text, Map<String, String> own, String key, E standard) {
        String value = own.get(key);
        if (value == null) {
            return standard;
        }
        E[] choices = standard.getDeclaringClass().getEnumConstants();
        return Arrays.stream(choices)
                .filter(choice -> lower(choice).equals(value))
                .findFirst()
                .orElseThrow(() -> text.refused("%s is \"%s\", but must be %s."
                        .formatted(
                                key,
                                value,
                                Arrays.stream(choices).map(PostgresUrl::lower).collect(Collectors.joining(" or ")))));
    }

    private static String lower(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT);
    }

    private static int connections(UrlText text, @Nullable String value) {
        if (value == null) {
            return DEFAULT_CONNECTIONS;
        }
        // Three digits are enough for the bound, and cannot overflow.
        int number = value.matches("[0-9]{1,3}") ? Integer.parseInt(value) : 0;
        if (number < FEWEST_CONNECTIONS || number > MOST_CONNECTIONS) {
            throw text.refused("%s is \"%s\", but must be a number within %s to %s."
                    .formatted(CONNECTIONS, value, FEWEST_CONNECTIONS, MOST_CONNECTIONS));
        }
        return number;
    }
}
