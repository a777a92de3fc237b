package io.perdure.server.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.helidon.webserver.http.HttpRouting;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.perdure.server.http.Problems;
import io.perdure.server.worker.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LostSocketTest {
    private static final int PATIENCE_MILLIS = 60_000;

    private Listener listener;

    @BeforeEach
    void listen() throws IOException {
        listener = new Listener(
                new Listener.Options(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        null,
                        16,
                        ConnectionTimeouts.defaults(),
                        Duration.ofSeconds(5)),
                HttpRouting.builder()
                        .addFilter(new ConnectionFilter())
                        .get("/", (_, response) -> response.send("hello")),
                Problems.ofUnreadable(_ -> {}),
                new SimpleMeterRegistry());
        listener.start();
    }

    @AfterEach
    void close() {
        listener.close();
    }

    private boolean answers() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).endsWith("hello");
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void listener_whenItsSocketIsLost_saysSoAndListensAnew() throws Exception {
        assertThat(listener.isListening()).isTrue();
        assertThat(answers()).isTrue();

        listener.socket().close();

        Waiting.until(this::answers);
        Waiting.until(listener::isListening);
    }

    @Test
    void listener_whenItsThreadIsInterrupted_goesOn() throws Exception {
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("perdure-listener"))
                .forEach(Thread::interrupt);

        assertThat(answers()).isTrue();
    }

    @Test
    void listener_onceClosed_isNotListening() {
        listener.close();

        assertThat(listener.isListening()).isFalse();
        assertThat(answers()).isFalse();
    }
}
