package io.perdure.cli;

import io.perdure.sdk.environment.SystemEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The command line in a process of its own, in a folder of its own and with an environment that says nothing to it. */
final class CommandProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern URL = Pattern.compile("http://127\\.0\\.0\\.1:\\d+");
    private static final SystemEnvironment ENVIRONMENT = new SystemEnvironment();

    private final Process process;
    private final Path out;
    private final Path err;

    private CommandProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts {@code perdure} with these words; what it prints goes to files in the folder. */
    static CommandProcess start(Path folder, String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(words));
        Path out = Files.createTempFile(folder, "stdout", ".txt");
        Path err = Files.createTempFile(folder, "stderr", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("PERDURE_") || name.startsWith("WORKFLOWS_"));
        return new CommandProcess(builder.start(), out, err);
    }

    /** What it has printed. */
    String out() throws IOException {
        return Files.readString(out);
    }

    /** What it has said on the side of errors. */
    String err() throws IOException {
        return Files.readString(err);
    }

    /** Waits until it has printed the line of this number, and answers the URL in it. */
    String urlInLine(int number) throws IOException, InterruptedException {
        String line = await(out, lines -> lines.skip(number - 1L).findFirst());
        Matcher url = URL.matcher(line);
        if (!url.find()) {
            throw new AssertionError("There is no URL in: " + line);
        }
        return url.group();
    }

    /** Waits until it has said a line with this text on the side of errors, and answers the line. */
    String awaitErr(String text) throws IOException, InterruptedException {
        return await(err, lines -> lines.filter(line -> line.contains(text)).findFirst());
    }

    private String await(Path file, Function<Stream<String>, Optional<String>> choice)
            throws IOException, InterruptedException {
        long deadline = ENVIRONMENT.nanoTime() + PATIENCE.toNanos();
        Optional<String> line = Optional.empty();
        while (line.isEmpty()) {
            if (!process.isAlive() || ENVIRONMENT.nanoTime() > deadline) {
                throw new AssertionError("It did not get that far:\n" + out() + err());
            }
            ENVIRONMENT.sleep(Duration.ofMillis(10));
            // The last one may not be whole.
            List<String> begun = List.of(Files.readString(file).split("\n", -1));
            line = choice.apply(begun.subList(0, begun.size() - 1).stream());
        }
        return line.get();
    }

    /** Tells it to end (SIGTERM). */
    void terminate() {
        process.destroy();
    }

    /** Waits until it has ended by itself; answers its exit code. */
    int ended() throws IOException, InterruptedException {
        if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("It does not end:\n" + out() + err());
        }
        return process.exitValue();
    }

    /** Kills it (SIGKILL) where it has not ended, and waits until it is gone. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
