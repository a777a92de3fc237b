package io.perdure.store.sqlite;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Reads the path out of a {@code jdbc:sqlite:} URL. Everything else that such a URL can say elsewhere is refused. */
final class SqliteUrl {
    static final String PREFIX = "jdbc:sqlite:";
    private static final String FILE = "file:";

    private SqliteUrl() {}

    /**
     * The path after the prefix, to the letter; after {@code file:}, the path of that URI. Throws {@code PD-210} for what names
     * no file.
     */
    static Path path(String url) {
        String place = url.substring(PREFIX.length());
        refuseControl(url, place);
        refuseMemory(url, place);
        refuseParameters(url, place);
        try {
            return place.startsWith(FILE) ? pathOfUri(url, place) : named(url, Path.of(place));
        } catch (InvalidPathException e) {
            throw refused(url, "Its path is not one of this system: " + e.getReason() + ".");
        }
    }

    private static void refuseMemory(String url, String place) {
        if (place.contains(":memory:") || place.contains("mode=memory")) {
            throw refused(url, "A database in memory would keep nothing.");
        }
        // The driver knows ":resource:" too.
        if (place.startsWith(":")) {
            throw refused(url, "It names no file.");
        }
    }

    private static void refuseParameters(String url, String place) {
        int mark = place.indexOf('?');
        if (mark < 0) {
            return;
        }
        String first = place.substring(mark + 1).split("[=&]", 2)[0];
        String what = first.isBlank() ? "There is a \"?\"" : "There is the parameter \"" + first + "\"";
        throw refused(url, what + " after the file, but no parameters are known: Perdure sets SQLite up by itself.");
    }

    private static Path pathOfUri(String url, String place) {
        URI uri;
        try {
            uri = new URI(place);
        } catch (URISyntaxException e) {
            throw refused(url, "After \"file:\" stands no URI: " + e.getReason() + ".");
        }
        if (uri.getFragment() != null) {
            throw refused(url, "It has a fragment; write a # in a URI as %23.");
        }
        if (uri.getAuthority() != null) {
            throw refused(url, "It names the machine \"" + uri.getAuthority() + "\"; write file:/ and the path.");
        }
        // What is escaped comes out here: %00 is looked for again.
        refuseControl(url, uri.getSchemeSpecificPart());
        return named(url, uri.isOpaque() ? Path.of(uri.getSchemeSpecificPart()) : Path.of(uri));
    }

    private static void refuseControl(String url, String text) {
        if (text.chars().anyMatch(Character::isISOControl)) {
            throw refused(url, "It contains a control character.");
        }
    }

    private static Path named(String url, Path path) {
        if (path.getFileName() == null || path.getFileName().toString().isBlank()) {
            throw refused(url, "It names no file.");
        }
        return path;
    }

    private static StoreException refused(String url, String why) {
        return new StoreException(ErrorCode.STORE_URL, "SQLite cannot open \"%s\". %s".formatted(shown(url), why));
    }

    /** Logs must not be given control characters by whoever wrote a URL. */
    private static String shown(String url) {
        return url.replaceAll("\\p{Cc}", "\uFFFD");
    }
}
