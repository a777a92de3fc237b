package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.key.Role;
import io.perdure.server.connection.ConnectionTimeouts;
import io.perdure.server.rest.Site;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** A server, and connections to it that a test writes byte by byte. */
abstract class RawConnections {
    private static final int PATIENCE_MILLIS = 60_000;
    static final Duration LONG = Duration.ofMinutes(10);
    static final Duration SHORT = Duration.ofMillis(300);
    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: ([0-9]+)");
    static final String LIVEZ = "GET /livez HTTP/1.1\r\nHost: localhost\r\n";

    @TempDir
    private Path directory;

    private final List<Socket> sockets = new ArrayList<>();
    private @Nullable PerdureServer started;

    void serve(ServerOptions options, ConnectionTimeouts timeouts) {
        started = PerdureServer.over(options.port(0), Perdure.open(options.store()), Site.OUTCOME_WAIT, timeouts);
    }

    PerdureServer server() {
        return Objects.requireNonNull(started);
    }

    ServerOptions options() {
        return ServerOptions.of("jdbc:sqlite:" + directory.resolve("store.db"));
    }

    static ConnectionTimeouts timeouts(Duration head) {
        return new ConnectionTimeouts(head, LONG, Duration.ZERO);
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        if (started != null) {
            started.close();
        }
    }

    Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server().port());
        socket.setSoTimeout(PATIENCE_MILLIS);
        sockets.add(socket);
        return socket;
    }

    static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Returns all that comes until the server closes the connection. */
    static String untilClosed(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Returns what is answered, with its body. */
    static String answer(Socket socket) throws IOException {
        StringBuilder answer = new StringBuilder();
        while (answer.indexOf("\r\n\r\n") < 0) {
            int next = socket.getInputStream().read();
            assertThat(next).as("after %s", answer).isNotNegative();
            answer.append((char) next);
        }
        Matcher length = LENGTH.matcher(answer);
        int bytes = length.find() ? Integer.parseInt(length.group(1)) : 0;
        return answer.append(new String(socket.getInputStream().readNBytes(bytes), StandardCharsets.UTF_8))
                .toString();
    }

    String key() {
        return key(TenantId.DEFAULT);
    }

    String key(TenantId tenant) {
        return server().engine()
                .keys()
                .create(tenant, "test", Role.CLIENT, null)
                .token();
    }
}
