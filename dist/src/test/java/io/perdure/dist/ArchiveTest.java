package io.perdure.dist;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever unpacks the archive can work with it, wherever it lies and however it is called. */
class ArchiveTest {
    @TempDir
    private static Path home;

    private static UnpackedArchive archive = new UnpackedArchive(Path.of(""));

    @TempDir
    private Path empty;

    @BeforeAll
    static void unpack() throws Exception {
        archive = UnpackedArchive.in(home);
    }

    @Test
    void helpOffersWhatTheArchiveCanDo() throws Exception {
        Answer help = perdure("--help");

        assertThat(help.err()).isEmpty();
        assertThat(help.exitCode()).isZero();
        assertThat(help.out()).contains("queue", "server", "dev").doesNotContain("bench");
    }

    @Test
    void itTellsTheVersionThatWasBuilt() throws Exception {
        assertThat(perdure("version").out()).contains("perdure " + UnpackedArchive.VERSION + "\n");
    }

    @Test
    void aQueueIsKeptInTheFolderWhereTheCommandIsRun() throws Exception {
        assertThat(perdure("queue", "create", "mail").exitCode()).isZero();
        assertThat(perdure("queue", "send", "mail", "{\"to\": \"ann\"}").exitCode())
                .isZero();
        Answer received = perdure("queue", "receive", "mail");

        assertThat(received.err()).isEmpty();
        assertThat(received.out()).contains("{\"to\": \"ann\"}");
        assertThat(empty.resolve("perdure.db")).exists();
    }

    @Test
    void itRunsThroughSymbolicLinks() throws Exception {
        Path bin = Files.createDirectory(empty.resolve("bin"));
        Files.createSymbolicLink(bin.resolve("first"), archive.command());
        Files.createSymbolicLink(bin.resolve("perdure"), Path.of("first"));

        Answer version = UnpackedArchive.run(empty, Map.of(), "bin/perdure", "--version");

        assertThat(version.err()).isEmpty();
        assertThat(version.out()).isEqualTo("perdure " + UnpackedArchive.VERSION + "\n");
    }

    @Test
    void anOldJavaInJavaHomeIsPassedOver() throws Exception {
        Path old = oldJava("17.0.1");

        Answer version = UnpackedArchive.run(empty, Map.of("JAVA_HOME", old.toString()), command(), "version");

        assertThat(version.err()).isEmpty();
        assertThat(version.out()).contains("java " + Runtime.version());
    }

    @Test
    void withoutJavaItSaysWhatToDo() throws Exception {
        UnpackedArchive choosy = UnpackedArchive.in(empty);
        Path finder = choosy.lib().resolve("find-jdk");
        // No machine has this one, wherever its others are.
        Files.writeString(finder, Files.readString(finder).replace("minimum=25", "minimum=999"));

        Answer refused = UnpackedArchive.run(empty, Map.of(), choosy.command().toString(), "version");

        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err())
                .startsWith("Perdure needs Java 999 or newer, and none was found.\n")
                .contains("Found, but too old:", UnpackedArchive.JAVA_HOME.toString(), "Install one", "JAVA_HOME");
    }

    @Test
    void whatComesWithItIsThere() throws Exception {
        assertThat(archive.root().resolve("LICENSE")).isNotEmptyFile();
        assertThat(archive.root().resolve("NOTICE")).isNotEmptyFile();
        assertThat(archive.root().resolve("README.md")).isNotEmptyFile();
        assertThat(archive.root().resolve("docs/errors/PD-406.md")).isNotEmptyFile();
    }

    @Test
    void theZipHasTheSameFiles() throws Exception {
        Set<String> zipped;
        try (ZipFile zip = new ZipFile(UnpackedArchive.zip().toFile())) {
            zipped = zip.stream()
                    .filter(entry -> !entry.isDirectory())
                    .map(ZipEntry::getName)
                    .collect(toSet());
        }

        Path parent = Objects.requireNonNull(archive.root().getParent());
        try (Stream<Path> files = Files.walk(archive.root())) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> parent.relativize(file).toString()))
                    .containsExactlyInAnyOrderElementsOf(zipped);
        }
    }

    private Answer perdure(String... arguments) throws Exception {
        String[] command =
                Stream.concat(Stream.of(command()), Stream.of(arguments)).toArray(String[]::new);
        return UnpackedArchive.run(empty, Map.of(), command);
    }

    private static String command() {
        return archive.command().toString();
    }

    /** A folder that looks like an older JDK. */
    private Path oldJava(String version) throws Exception {
        Path home = Files.createDirectories(empty.resolve("jdk"));
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nexit 1\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        return home;
    }
}
