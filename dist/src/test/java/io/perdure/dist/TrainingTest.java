package io.perdure.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server was trained with makes it faster, and nothing else: it is never wrong, and never in the way. */
class TrainingTest {
    @TempDir
    private Path home;

    private UnpackedArchive archive = new UnpackedArchive(Path.of(""));

    @BeforeEach
    void unpack() throws Exception {
        archive = UnpackedArchive.in(home);
    }

    @Test
    void whatTwoTrainAtOnceIsWholeAndUsedUntilAJarIsReplaced() throws Exception {
        Process first = train();
        Process second = train();
        assertThat(first.waitFor()).isZero();
        assertThat(second.waitFor()).isZero();

        List<Path> caches = files(archive.root().resolve("cache"));
        assertThat(caches).hasSize(1);
        Path cache = caches.getFirst();
        assertThat(javaThatMustUse(cache).exitCode()).isZero();
        assertThat(flagsOfServer()).contains(cache.toString());

        Path jar = archive.lib().resolve(archive.jars().getFirst());
        Files.setLastModifiedTime(jar, FileTime.fromMillis(0));
        assertThat(flagsOfServer()).contains("AOTCache").doesNotContain(cache.toString());
    }

    @Test
    void whereNothingCanBeWrittenEverythingWorks() throws Exception {
        // Files where folders should be: not even the superuser can write there.
        Files.createFile(archive.root().resolve("cache"));
        Path noFolder = Files.createFile(home.resolve("no-folder"));

        Answer version = UnpackedArchive.run(
                home,
                Map.of("PERDURE_AOT", "now", "HOME", noFolder.toString()),
                archive.command().toString(),
                "--version");

        assertThat(version.err()).isEmpty();
        assertThat(version.out()).isEqualTo("perdure " + UnpackedArchive.VERSION + "\n");
    }

    @Test
    void aServerStartsWhateverIsSaidAboutTraining() throws Exception {
        Process server = UnpackedArchive.start(
                home, Map.of("PERDURE_AOT", "off"), archive.command().toString(), "server", "--port", "0");
        try (BufferedReader says = server.inputReader(StandardCharsets.UTF_8)) {
            assertThat(says.readLine()).startsWith("Perdure serves jdbc:sqlite:");
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    @Test
    void aSettingThatDoesNotExistIsRefused() throws Exception {
        Answer refused = UnpackedArchive.run(
                home, Map.of("PERDURE_AOT", "yes"), archive.command().toString(), "version");

        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).isEqualTo("PERDURE_AOT is \"yes\"; it can be auto, now or off.\n");
    }

    private Process train() throws Exception {
        return UnpackedArchive.start(
                home, Map.of("PERDURE_AOT", "now"), archive.command().toString(), "--version");
    }

    private Answer javaThatMustUse(Path cache) throws Exception {
        return UnpackedArchive.run(
                home,
                Map.of(),
                UnpackedArchive.JAVA_HOME.resolve("bin/java").toString(),
                "-XX:AOTMode=on",
                "-XX:AOTCache=" + cache,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                archive.lib() + "/*",
                "-version");
    }

    /** With what the JVM of a server is started. */
    private String flagsOfServer() throws Exception {
        return UnpackedArchive.run(
                        home,
                        Map.of("PERDURE_JAVA_OPTS", "-XX:+PrintFlagsFinal"),
                        archive.command().toString(),
                        "server",
                        "--help")
                .out();
    }

    private static List<Path> files(Path folder) throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
