package io.perdure.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Where the programs of a Postgres server are, and which version they are of. */
public final class PostgresBinaries {
    private static final Pattern VERSION = Pattern.compile("postgres \\(PostgreSQL\\) ((\\d{1,4})\\S*).*");

    /** A folder and the names in it that hold a {@code bin}: Debian, Red Hat, Homebrew on either processor. */
    private static final List<Place> PLACES = List.of(
            new Place("/usr/lib/postgresql", "*"),
            new Place("/usr", "pgsql-*"),
            new Place("/opt/homebrew/opt", "postgresql@*"),
            new Place("/usr/local/opt", "postgresql@*"));

    private final Path folder;
    private final String version;
    private final int majorVersion;

    private record Place(String parent, String glob) {}

    private PostgresBinaries(Path folder) {
        this.folder = folder;
        String said = Command.run(List.of(program("postgres"), "--version")).strip();
        Matcher words = VERSION.matcher(said);
        if (!words.matches()) {
            throw new IllegalStateException("%s says it is \"%s\".".formatted(program("postgres"), said));
        }
        this.version = words.group(1);
        this.majorVersion = Integer.parseInt(words.group(2));
    }

    /**
     * Those out of Maven Central, unpacked below the temporary folder at the first call. Throws {@link IllegalStateException}
     * where there are none for this machine.
     */
    public static PostgresBinaries bundled() {
        try {
            Path temporary = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
            return new PostgresBinaries(BinariesArchive.unpackedBelow(temporary).resolve("bin"));
        } catch (IOException e) {
            throw new UncheckedIOException("The bundled Postgres could not be unpacked.", e);
        }
    }

    /** Those found on this machine where packages put them, newest first; often none. */
    public static List<PostgresBinaries> installed() {
        return PLACES.stream()
                .flatMap(place -> folders(place).stream())
                .map(folder -> folder.resolve("bin"))
                .filter(bin -> Stream.of("postgres", "initdb").allMatch(name -> Files.isExecutable(bin.resolve(name))))
                .map(PostgresBinaries::new)
                .sorted(Comparator.comparingInt(PostgresBinaries::majorVersion).reversed())
                .toList();
    }

    private static List<Path> folders(Place place) {
        Path parent = Path.of(place.parent());
        if (!Files.isDirectory(parent)) {
            return List.of();
        }
        List<Path> folders = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, place.glob())) {
            found.forEach(folders::add);
        } catch (IOException e) {
            throw new UncheckedIOException("%s cannot be listed.".formatted(parent), e);
        }
        return folders;
    }

    /** The first number of the version: 18 of 18.6. */
    public int majorVersion() {
        return majorVersion;
    }

    String program(String name) {
        return folder.resolve(name).toString();
    }

    /** The version and the folder. */
    @Override
    public String toString() {
        return "Postgres " + version + " in " + folder;
    }
}
