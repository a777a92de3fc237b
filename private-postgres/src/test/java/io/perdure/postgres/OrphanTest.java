package io.perdure.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The server of a process that is killed does not outlive it. */
final class OrphanTest {
    /** What runs in the process that is killed. */
    public static void main(String[] arguments) throws IOException {
        PrivatePostgres server = PrivatePostgres.start(PostgresBinaries.bundled(), PrivatePostgres.WITHOUT_DURABILITY);
        server.pause();
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        answers.println(server.port());
        answers.println(server.folder());
        System.in.read();
    }

    @Test
    @Timeout(120)
    void serverAndFolderGoWhenTheProcessIsKilledEvenWhilePaused() throws IOException, InterruptedException {
        Process process = start();
        BufferedReader answers = process.inputReader(StandardCharsets.UTF_8);
        int port = Integer.parseInt(answers.readLine());
        Path folder = Path.of(answers.readLine());
        assertThat(folder).isDirectory();
        try (Socket witness = new Socket();
                WatchService watch = folder.getFileSystem().newWatchService()) {
            witness.connect(Loopback.at(port));
            folder.resolveSibling(".").register(watch, StandardWatchEventKinds.ENTRY_DELETE);

            process.destroyForcibly().onExit().join();

            awaitEndOf(witness);
            while (Files.exists(folder)) {
                WatchKey key = watch.take();
                key.pollEvents();
                key.reset();
            }
            assertThatThrownBy(() -> PlainSession.open(port, "perdure")).isInstanceOf(UncheckedIOException.class);
        }
    }

    private static Process start() throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                OrphanTest.class.getName());
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void awaitEndOf(Socket socket) {
        try {
            socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            // Reset: an end too.
        }
    }
}
