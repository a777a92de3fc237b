package io.perdure.server.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.helidon.common.socket.PlainSocket;
import io.perdure.server.worker.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RequestBytesTest {
    private Socket caller;
    private Socket accepted;
    private RequestBytes bytes;
    private final CountDownLatch gone = new CountDownLatch(1);

    @BeforeEach
    void connect() throws IOException {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            caller = new Socket(InetAddress.getLoopbackAddress(), listening.getLocalPort());
            accepted = listening.accept();
        }
        bytes = new RequestBytes(PlainSocket.server(accepted, "test", "test"), () -> {}, _ -> {});
    }

    @AfterEach
    void close() throws IOException {
        caller.close();
        accepted.close();
    }

    private void say(String text) throws IOException {
        caller.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private @Nullable String heard() {
        byte[] heard = bytes.get();
        return heard == null ? null : new String(heard, StandardCharsets.US_ASCII);
    }

    @Test
    void watch_whenTheCallerCloses_tellsOfIt() throws Exception {
        say("GET / HTTP/1.1\r\n\r\n");
        assertThat(heard()).startsWith("GET");

        bytes.watch(gone::countDown);
        caller.close();

        assertThat(gone.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(heard()).isNull();
    }

    @Test
    void watch_whenTheNextRequestComes_handsItOver() throws Exception {
        say("GET /1 HTTP/1.1\r\n\r\n");
        assertThat(heard()).startsWith("GET /1");

        bytes.watch(gone::countDown);
        say("GET /2 HTTP/1.1\r\n\r\n");
        assertThat(heard()).startsWith("GET /2");
        say("GET /3 HTTP/1.1\r\n\r\n");
        assertThat(heard()).startsWith("GET /3");

        bytes.watch(gone::countDown);
        bytes.watch(gone::countDown);
        say("GET /4 HTTP/1.1\r\n\r\n");
        assertThat(heard()).startsWith("GET /4");
        assertThat(gone.getCount()).isEqualTo(1);
    }

    @Test
    void watch_afterBytesThatCameEarly_tellsOfTheEndAllTheSame() throws Exception {
        say("GET /1 HTTP/1.1\r\n\r\n");
        assertThat(heard()).startsWith("GET /1");

        bytes.watch(gone::countDown);
        say("\r\n");
        caller.close();

        assertThat(gone.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(heard()).isEqualTo("\r\n");
        assertThat(heard()).isNull();
        assertThat(heard()).isNull();
    }

    @Test
    void watch_whileTheConnectionsThreadReads_doesNothing() throws Exception {
        say("GET /1 HTTP/1.1\r\n\r\n");
        assertThat(heard()).startsWith("GET /1");
        FutureTask<String> next = new FutureTask<>(this::heard);
        Thread reader = Thread.ofPlatform().start(next);
        Waiting.until(() -> reader.getState() == Thread.State.RUNNABLE
                && Stream.of(reader.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals("get")));

        for (int i = 0; i < 100; i++) {
            bytes.watch(gone::countDown);
        }
        say("GET /2 HTTP/1.1\r\n\r\n");

        assertThat(next.get(60, TimeUnit.SECONDS)).startsWith("GET /2");
    }

    @Test
    void requestOfHttp10_withLineFeedsOnly_isLeftAsItIs() throws Exception {
        String request = "GET / HTTP/1.0\n\n";
        say(request);
        assertThat(heard()).isEqualTo(request);
    }

    @Test
    void requestOfHttp10_isMadeNew() throws Exception {
        say("POST /x HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nab");
        assertThat(heard())
                .isEqualTo(
                        "POST /x HTTP/1.1\r\nContent-Length: 2\r\nHost: unknown.invalid\r\nVia: 1.0 perdure\r\nConnection: close\r\n\r\nab");
    }

    @Test
    void requestOfHttp11_isLeftAsItIs() throws Exception {
        String request = "POST /HTTP/1.0 HTTP/1.1\r\nExpect: 100-continue\r\n\r\nab";
        say(request);
        assertThat(heard()).isEqualTo(request);
    }
}
