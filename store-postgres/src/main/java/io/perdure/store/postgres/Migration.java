package io.perdure.store.postgres;

import io.perdure.sdk.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * One step of the schema: a file, numbered without gaps from 1, that is never changed once released.
 *
 * @param number in the order in which they are applied
 * @param name of its file
 * @param readableSince the oldest migration that a release must know to work with the schema after this one
 * @param sql all statements, none of which may begin or end a transaction; the word {@code perdure} in it is the schema
 */
record Migration(int number, String name, int readableSince, String sql) {
    private static final Pattern FIRST_LINE =
            Pattern.compile("-- works with releases that know migration (?<number>\\d{1,4})\\R");

    /** Reads the files of these names out of {@code migrations/}. */
    static List<Migration> named(String... names) {
        return IntStream.rangeClosed(1, names.length)
                .mapToObj(number -> of(number, names[number - 1], read(names[number - 1])))
                .toList();
    }

    /** Takes the first line of a file for {@link #readableSince}. */
    static Migration of(int number, String name, String sql) {
        Matcher line = FIRST_LINE.matcher(sql);
        if (!line.lookingAt()) {
            throw new IllegalArgumentException(name + " does not begin with " + FIRST_LINE.pattern());
        }
        int readableSince = Integer.parseInt(line.group("number"));
        if (readableSince < 1 || readableSince > number) {
            throw new IllegalArgumentException(name + " names migration " + readableSince);
        }
        return new Migration(number, name, readableSince, sql);
    }

    /** Of the file as it is, not as it was applied: the schema's name is no change. */
    String sha256() {
        return Sha256.hex(sql);
    }

    private static String read(String name) {
        try (InputStream text = Migration.class.getResourceAsStream("migrations/" + name)) {
            if (text == null) {
                throw new IllegalStateException("no resource migrations/" + name);
            }
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("resource migrations/" + name, e);
        }
    }
}
