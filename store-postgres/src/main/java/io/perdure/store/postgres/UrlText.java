package io.perdure.store.postgres;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a URL says, part by part, before anything is made of it.
 *
 * @param shown the URL without what is secret or may be: for errors
 * @param hosts each with its port
 * @param parameters those after the question mark, with user and password from before the host
 */
record UrlText(String shown, List<String> hosts, String database, Map<String, String> parameters) {
    static final String JDBC = "jdbc:postgresql:";
    /** As platforms hand them out. */
    static final List<String> PREFIXES = List.of(JDBC, "postgresql://", "postgres://");

    private static final int DEFAULT_PORT = 5432;
    private static final int LAST_PORT = 65_535;
    private static final Pattern HOST =
            Pattern.compile("(?<name>\\[[0-9a-fA-F:.%\\w]+]|[^\\[\\]:]+)(:(?<port>\\d{1,5}))?");
    private static final Pattern ESCAPE = Pattern.compile("%(?![0-9a-fA-F]{2})");

    /** What libpq, and so a {@code postgresql://} URL, calls otherwise than the driver. */
    private static final Map<String, String> OTHER_NAMES = Map.of(
            "application_name", "ApplicationName",
            "channel_binding", "channelBinding",
            "connect_timeout", "connectTimeout",
            "gssencmode", "gssEncMode",
            "require_auth", "requireAuth",
            "sslnegotiation", "sslNegotiation");

    UrlText {
        hosts = List.copyOf(hosts);
        parameters = Map.copyOf(parameters);
    }

    static boolean isOne(String url) {
        return PREFIXES.stream().anyMatch(url::startsWith);
    }

    /** Takes a URL apart; throws {@code PD-210} where that cannot be done. */
    static UrlText of(String url) {
        String shown = harmless(url);
        if (!isOne(url)) {
            throw refused(shown, "It does not begin with " + String.join(" or ", PREFIXES) + ".");
        }
        if (url.chars().anyMatch(Character::isISOControl)) {
            throw refused(shown, "It contains a control character.");
        }
        boolean jdbc = url.startsWith(JDBC);
        String rest = jdbc ? url.substring(JDBC.length()) : url.substring(url.indexOf(':') + 1);
        if (!rest.startsWith("//")) {
            throw refused(shown, "It names no server: write " + JDBC + "//host:port/database.");
        }
        if (rest.indexOf('#') >= 0) {
            throw refused(shown, "It has a #, which in a URL is written %23.");
        }
        String[] halves = rest.substring(2).split("\\?", 2);
        int slash = halves[0].indexOf('/');
        String authority = slash < 0 ? halves[0] : halves[0].substring(0, slash);
        String database = slash < 0 ? "" : decoded(shown, halves[0].substring(slash + 1));
        boolean lateAt = slash < 0 ? rest.indexOf('@') > halves[0].length() : halves[0].indexOf('@', slash) >= 0;
        if (lateAt) {
            throw refused(shown, "In a user, password or database write / ? # and @ as %2F, %3F, %23 and %40.");
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        int at = authority.lastIndexOf('@');
        if (at >= 0) {
            putUser(shown, authority.substring(0, at), parameters);
        }
        putParameters(shown, halves.length == 1 ? "" : halves[1], jdbc, parameters);
        return new UrlText(shown, hosts(shown, authority.substring(at + 1)), named(shown, database), parameters);
    }

    StoreException refused(String why) {
        return refused(shown, why);
    }

    private static StoreException refused(String shown, String why) {
        return new StoreException(ErrorCode.STORE_URL, "Postgres cannot be opened at \"%s\". %s".formatted(shown, why));
    }

    private static void putUser(String shown, String text, Map<String, String> parameters) {
        int colon = text.indexOf(':');
        parameters.put("user", decoded(shown, colon < 0 ? text : text.substring(0, colon)));
        if (colon >= 0) {
            parameters.put("password", decoded(shown, text.substring(colon + 1)));
        }
    }

    private static void putParameters(String shown, String text, boolean jdbc, Map<String, String> parameters) {
        for (String pair : text.split("&", -1)) {
            if (pair.isEmpty()) {
                continue;
            }
            int equals = pair.indexOf('=');
            String written = decoded(shown, equals < 0 ? pair : pair.substring(0, equals));
            if (equals < 0) {
                throw refused(shown, "The parameter \"%s\" has no value: write %s=...".formatted(written, written));
            }
            String value = pair.substring(equals + 1);
            // The driver takes + for a blank, libpq takes it for itself.
            String read = decoded(shown, jdbc ? value.replace("+", "%20") : value);
            String name = jdbc ? written : OTHER_NAMES.getOrDefault(written, written);
            if (parameters.putIfAbsent(name, read) != null) {
                throw refused(shown, "It gives \"%s\" twice.".formatted(written));
            }
        }
    }

    private static List<String> hosts(String shown, String authority) {
        if (authority.isEmpty()) {
            throw refused(shown, "It names no server: write //localhost/database for one on this machine.");
        }
        List<String> hosts = new ArrayList<>();
        for (String text : authority.split(",", -1)) {
            Matcher host = HOST.matcher(text);
            if (!host.matches() || host.group("name").isBlank()) {
                throw refused(shown, "\"%s\" is not a host or host:port.".formatted(text));
            }
            int port = host.group("port") == null ? DEFAULT_PORT : Integer.parseInt(host.group("port"));
            if (port < 1 || port > LAST_PORT) {
                throw refused(shown, "The port %s is not within 1 to %s.".formatted(port, LAST_PORT));
            }
            hosts.add(host.group("name") + ":" + port);
        }
        return hosts;
    }

    private static String named(String shown, String database) {
        if (database.isEmpty()) {
            throw refused(shown, "It names no database: write one after the server and a /.");
        }
        if (database.indexOf('/') >= 0) {
            throw refused(shown, "\"%s\" after the server is not one database.".formatted(database));
        }
        return database;
    }

    private static String decoded(String shown, String text) {
        if (ESCAPE.matcher(text).find()) {
            throw refused(shown, "It has a % that no two hexadecimal digits follow; write % itself as %25.");
        }
        String read = URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        // What is escaped comes out here: %00 is looked for again.
        if (read.chars().anyMatch(Character::isISOControl)) {
            throw refused(shown, "It contains a control character.");
        }
        return read;
    }

    /** Drops everything that may be a password even in a URL that is written wrong, and what a log must not be given. */
    static String harmless(String url) {
        int at = url.lastIndexOf('@');
        int slashes = url.indexOf("//");
        String hidden =
                at < 0 || slashes < 0 || slashes > at ? url : url.substring(0, slashes + 2) + "***" + url.substring(at);
        int mark = hidden.indexOf('?');
        return (mark < 0 ? hidden : hidden.substring(0, mark + 1) + "...").replaceAll("\\p{Cc}", "\uFFFD");
    }
}
