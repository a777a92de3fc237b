package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.core.store.Finding;
import io.perdure.sdk.InvalidValueException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers in processes that may have few open files. */
class DescriptorsTest {
    private static final int PATIENCE_MILLIS = 60_000;
    private static final int OPEN_FILES = 400;

    @TempDir
    private Path directory;

    private static String asked(String path, int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void server_withMoreConnectionsThanDescriptors_goesOnListening() throws IOException {
        String store = "jdbc:sqlite:" + directory.resolve("store.db");
        List<Socket> idle = new ArrayList<>();
        try (ServerProcess server = ServerProcess.startWithOpenFiles(store, OPEN_FILES)) {
            int port = URI.create(server.url()).getPort();
            for (int i = 0; i < 2 * OPEN_FILES; i++) {
                idle.add(new Socket(InetAddress.getLoopbackAddress(), port));
            }
            assertThat(asked("/livez", port)).startsWith("HTTP/1.1 200 ");
            for (Socket socket : idle) {
                socket.close();
            }
            assertThat(asked("/livez", port)).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void server_whenDescriptorsRunOut_closesConnectionsAndGoesOnListening() throws Exception {
        String store = "jdbc:sqlite:" + directory.resolve("store.db");
        List<Socket> idle = new ArrayList<>();
        try (ServerProcess server = ServerProcess.startWithOpenFiles(store, OPEN_FILES)) {
            int port = URI.create(server.url()).getPort();
            for (int i = 0; i < OPEN_FILES / 4; i++) {
                idle.add(new Socket(InetAddress.getLoopbackAddress(), port));
            }
            assertThat(asked("/livez", port)).startsWith("HTTP/1.1 200 ");
            long open = openFiles(server.pid());

            // Fewer than are open now: accept fails until connections were closed.
            int ended = new ProcessBuilder(
                            "prlimit", "--pid=" + server.pid(), "--nofile=" + (open - 30) + ":" + OPEN_FILES)
                    .inheritIO()
                    .start()
                    .waitFor();
            assertThat(ended).isZero();
            for (int i = 0; i < OPEN_FILES / 8; i++) {
                idle.add(new Socket(InetAddress.getLoopbackAddress(), port));
            }

            // It says 503 while it cannot accept all that come.
            Served.until(() -> asked("/livez", port).startsWith("HTTP/1.1 200 "));
            assertThat(asked("/metrics", port)).doesNotContain("ended_total{why=\"evicted\"} 0.0");
            for (Socket socket : idle) {
                socket.close();
            }
        }
    }

    private static long openFiles(long pid) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            return all.count();
        }
    }

    @Test
    void places_underALowLimit_areFewerAndWarnedOf() {
        ServerOptions options = ServerOptions.of("jdbc:sqlite:any");
        assertThat(ConnectionPlaces.of(options, new Descriptors(Long.MAX_VALUE, 0)))
                .satisfies(places -> assertThat(places.count()).isEqualTo(24_000))
                .satisfies(places -> assertThat(places.shortage()).isEmpty());

        ConnectionPlaces few = ConnectionPlaces.of(options, new Descriptors(4_096, 100));

        assertThat(few.count()).isEqualTo(4_096 - 100 - 128);
        assertThat(few.shortage().map(Finding::found).orElse("")).contains("3,868", "12,000", "4,096");
        assertThat(few.shortage().map(Finding::advice).orElse("")).contains("12,228");
    }

    @Test
    void places_withoutRoom_stopTheStart() {
        assertThatThrownBy(() -> ConnectionPlaces.of(ServerOptions.of("jdbc:sqlite:any"), new Descriptors(200, 100)))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("PD-610")
                .hasMessageContaining("244");
    }
}
