package io.perdure.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The archive that this build made, unpacked into a folder of one's own. */
record UnpackedArchive(Path root) {
    static final String VERSION = System.getProperty("perdure.version", "");
    static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));

    private static final Path ARCHIVE = Path.of(System.getProperty("perdure.archive", ""));

    /** Unpacks into a folder with a space in its name. */
    static UnpackedArchive in(Path folder) throws Exception {
        Path parent = Files.createDirectories(folder.resolve("a folder"));
        Answer unpacked = run(parent, Map.of(), "tar", "xzf", ARCHIVE.toString());
        assertThat(unpacked.exitCode()).as(unpacked.err()).isZero();
        return new UnpackedArchive(parent.resolve("perdure-" + VERSION));
    }

    /** The same content for those who have no tar. */
    static Path zip() {
        return ARCHIVE.resolveSibling("perdure-" + VERSION + ".zip");
    }

    Path command() {
        return root.resolve("bin/perdure");
    }

    Path lib() {
        return root.resolve("lib");
    }

    /** The names of the jars, without path. */
    List<String> jars() throws IOException {
        try (Stream<Path> files = Files.list(lib())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }

    /**
     * Runs a program to its end. It has nothing of this process's environment but the folders of programs, in front of
     * which is this JVM's; these variables are added.
     */
    static Answer run(Path workingFolder, Map<String, String> environment, String... command) throws Exception {
        Process process = start(workingFolder, environment, command);
        process.getOutputStream().close();
        // What one says on stderr fits the pipe; stdout may be long.
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Answer(process.waitFor(), out, err);
    }

    /** The same, for those who do something else meanwhile. */
    static Process start(Path workingFolder, Map<String, String> environment, String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(workingFolder.toFile());
        String path = builder.environment().getOrDefault("PATH", "");
        builder.environment().clear();
        builder.environment().put("PATH", JAVA_HOME.resolve("bin") + File.pathSeparator + path);
        builder.environment().put("HOME", workingFolder.toString());
        builder.environment().putAll(environment);
        return builder.start();
    }
}
