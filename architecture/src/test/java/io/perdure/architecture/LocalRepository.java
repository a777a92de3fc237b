package io.perdure.architecture;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * A local repository of Maven's as {@code mvn install} would leave it, without touching the user's: links to what that has of others, and
 * beside them our own modules as this build has made them.
 */
final class LocalRepository implements AutoCloseable {
    // Beside what a POM says of its parent and of others.
    private static final Pattern OF_ANOTHER =
            Pattern.compile("(?s)<(parent|dependencies|dependencyManagement|build)>.*?</\\1>");
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>([^<]+)</artifactId>");
    private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");
    private static final String OURS = "perdure";

    private final Path folder;
    private final String version;

    private LocalRepository(Path folder, String version) {
        this.folder = folder;
        this.version = version;
    }

    /** The version of this checkout. */
    static String version() {
        return first(VERSION, Checkout.file("pom.xml").text());
    }

    /** Makes one in this folder. */
    static LocalRepository in(Path folder) throws IOException {
        LocalRepository repository = new LocalRepository(folder, version());
        repository.link();
        for (TextFile file : Checkout.files()) {
            if (file.path().matches("([\\w-]+/)?pom\\.xml")) {
                repository.install(file);
            }
        }
        return repository;
    }

    Path folder() {
        return folder;
    }

    private void link() throws IOException {
        Path users = users();
        Path group = folder.resolve("io");
        Files.createDirectories(group.resolve(OURS));
        linkAll(users, folder, group.getFileName().toString());
        if (Files.isDirectory(users.resolve("io"))) {
            linkAll(users.resolve("io"), group, OURS);
        }
    }

    /** Where the build that runs this test keeps what it has downloaded. */
    private static Path users() {
        String told = System.getProperty("localRepository");
        return told != null && Files.isDirectory(Path.of(told))
                ? Path.of(told)
                : Path.of(System.getProperty("user.home"), ".m2", "repository");
    }

    private static void linkAll(Path from, Path to, String butNot) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(from, Files::isDirectory)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (!name.equals(butNot)) {
                    Files.createSymbolicLink(to.resolve(name), entry.toAbsolutePath());
                }
            }
        }
    }

    private void install(TextFile pom) throws IOException {
        String artifact = first(ARTIFACT, OF_ANOTHER.matcher(pom.text()).replaceAll(""));
        Path place = Files.createDirectories(folder.resolve(Path.of("io", OURS, artifact, version)));
        Path jar = place.resolve(artifact + "-" + version + ".jar");
        Files.writeString(place.resolve(artifact + "-" + version + ".pom"), pom.text());
        for (Path built : builtIn(pom.module())) {
            copy(built, jar);
        }
    }

    /** What this test sees of a module: its jar, or its classes where the build has not come to packing them. */
    private static List<Path> builtIn(String module) {
        Path target = Checkout.root().resolve(module).resolve("target");
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(entry -> !module.isEmpty()
                        && entry.startsWith(target)
                        && !entry.endsWith("test-classes")
                        && Files.exists(entry))
                .toList();
    }

    private static void copy(Path built, Path jar) throws IOException {
        if (Files.isDirectory(built)) {
            int failed = ToolProvider.findFirst("jar")
                    .orElseThrow()
                    .run(System.err, System.err, "--create", "--file", jar.toString(), "-C", built.toString(), ".");
            if (failed != 0) {
                throw new IOException(built + " could not be packed");
            }
        } else {
            Files.copy(built, jar);
        }
    }

    private static String first(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .findFirst()
                .map((MatchResult found) -> found.group(1))
                .orElseThrow();
    }

    /** Removes it; what it has links to stays. */
    @Override
    public void close() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
