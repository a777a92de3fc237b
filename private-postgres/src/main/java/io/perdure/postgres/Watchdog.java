package io.perdure.postgres;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A shell that waits at the other end of a pipe. When this process closes its end, or dies in whatever way, {@code kill -9}
 * included, the shell ends the programs that left their process id in the folder, and deletes the folder. A shutdown hook would
 * not run after {@code kill -9}, and would take the server away from the hooks of those who still use it.
 *
 * <p>What remains if the shell is killed too: the server, and its folder.
 */
final class Watchdog implements AutoCloseable {
    /** Where the ids of stopped processes are, so that they can be woken to die. */
    static final String PAUSED = "paused";

    /** A zombie that nobody reaps still counts as alive; hence the bound of ten seconds. */
    private static final String SCRIPT = """
            trap '' HUP INT TERM
            read -r _
            [ ! -f "$1/$2" ] || kill -s CONT $(cat "$1/$2")
            for file in "$1"/*/*.pid; do
                [ -f "$file" ] || continue
                read -r pid <"$file"
                kill -s QUIT "$pid"
                tries=0
                while kill -s 0 "$pid" && [ "$tries" -lt 100 ]; do
                    sleep 0.1
                    tries=$((tries + 1))
                done
            done
            rm -rf "$1"
            """;

    private final Process shell;
    private final Path folder;

    private Watchdog(Process shell, Path folder) {
        this.shell = shell;
        this.folder = folder;
    }

    static Watchdog over(Path folder) throws IOException {
        List<String> words = List.of("sh", "-c", SCRIPT, "watchdog", folder.toString(), PAUSED);
        return new Watchdog(
                Command.builder(words)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start(),
                folder);
    }

    /** Lets it do its work and waits for that. Doing so again changes nothing. */
    @Override
    public void close() {
        try (OutputStream pipe = shell.getOutputStream()) {
            pipe.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("The pipe to the watchdog of %s could not be closed.".formatted(folder), e);
        }
        shell.onExit().join();
    }
}
