package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of foreign clients: of HTTP/1.0, and such as are no HTTP. */
class ForeignRequestsTest extends RawConnections {
    @ParameterizedTest
    @ValueSource(strings = {"", "Host: localhost\r\n", "Host: localhost\r\nConnection: keep-alive\r\nAccept: */*\r\n"})
    void requestOfHttp10_isAnswered(String headers) throws IOException {
        serve(options(), timeouts(LONG));
        Socket old = connect();
        send(old, "GET /livez HTTP/1.0\r\n" + headers + "\r\n");

        String answer = untilClosed(old);
        assertThat(answer).startsWith("HTTP/1.1 200 ").endsWith("{\"status\":\"alive\"}");
        assertThat(answer.toLowerCase(Locale.ROOT)).contains("connection: close", "content-length: 18");
    }

    @Test
    void requestOfHttp10_withBodyInPieces_isAnswered() throws IOException {
        serve(options(), timeouts(LONG));
        Socket old = connect();
        String body = "{\"name\":\"mails\"}";
        String head = "POST /v1/queues HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer " + key()
                + "\r\nContent-Type: application/json\r\nContent-Length: "
                + body.length() + "\r\n\r\n";
        for (char one : (head + body).toCharArray()) {
            send(old, String.valueOf(one));
        }

        assertThat(untilClosed(old)).startsWith("HTTP/1.1 201 ").contains("\"mails\"");
    }

    @Test
    void requestOfHttp10_withoutAKey_isTakenForAProxys() throws IOException {
        serve(options(), timeouts(LONG));
        Socket old = connect();
        send(old, "GET /v1/queues HTTP/1.0\r\nHost: localhost\r\n\r\n");

        assertThat(untilClosed(old)).startsWith("HTTP/1.1 401 ").contains("HTTP/1.0", "key create");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /livez HTTP/2.0\r\nHost: localhost\r\n\r\n",
                "GET /livez HTTP/1.1\r\n\r\n",
                "GET /livez HTTP/1.1\r\nHost: localhost\r\nHost: other\r\n\r\n",
                "GET /livez HTTP/1.1\r\nHost: localhost\r\nBad Name: x\r\n\r\n",
                "POST /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
                "nonsense\r\n\r\n"
            })
    void malformedRequest_isToldSo(String request) throws IOException {
        serve(options(), timeouts(LONG));
        Socket foreign = connect();
        send(foreign, request);

        assertThat(untilClosed(foreign))
                .startsWith("HTTP/1.1 400 ")
                .contains("PD-613", "Request is not valid HTTP")
                .doesNotContain("log");
    }

    @Test
    void headersThatAreTooLong_areToldTheBound() throws IOException {
        serve(options(), timeouts(LONG));
        Socket foreign = connect();
        send(foreign, LIVEZ + "X: " + "x".repeat(33 * 1024) + "\r\n\r\n");

        assertThat(untilClosed(foreign)).startsWith("HTTP/1.1 400 ").contains("PD-613", "32768 bytes");
    }
}
