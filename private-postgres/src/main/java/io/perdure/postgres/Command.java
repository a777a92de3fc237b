package io.perdure.postgres;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Starts programs with nothing of the user's Postgres settings, and in a language whose messages can be recognized. */
final class Command {
    private static final int TAIL_LINES = 30;

    private Command() {}

    /** Everything it says goes to the end of {@code log}. */
    static Process start(List<String> words, Path log) throws IOException {
        return builder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /** A builder whose streams are pipes to this process. */
    static ProcessBuilder builder(List<String> words) {
        // In the root, because nobody may be unable to enter the folder that root works in.
        ProcessBuilder builder = new ProcessBuilder(words).directory(new File("/"));
        builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
        builder.environment().put("LC_ALL", "C");
        return builder;
    }

    /** Runs it to its end; throws with what it said unless it ends well. */
    static String run(List<String> words) {
        try {
            Process process = builder(words).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int status = process.onExit().join().exitValue();
            if (status != 0) {
                throw new IllegalStateException(
                        "%s ended with %s:\n%s".formatted(String.join(" ", words), status, tail(said)));
            }
            return said;
        } catch (IOException e) {
            throw new UncheckedIOException("%s could not be run.".formatted(String.join(" ", words)), e);
        }
    }

    /**
     * Sends a signal by the shell's own {@code kill}, since the program of that name is not installed everywhere. A process that
     * has ended in the meantime needs none; another reason to fail there is not, as all are ours.
     */
    static void signal(String name, List<Long> processIds) {
        String ids = String.join(" ", processIds.stream().map(String::valueOf).toList());
        run(List.of("sh", "-c", "kill -s " + name + " " + ids + " || :"));
    }

    static String tail(Path log) {
        try {
            return tail(Files.readString(log, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return "Its log cannot be read: " + e;
        }
    }

    private static String tail(String text) {
        List<String> lines = text.lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    }
}
