package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Opened;
import io.perdure.core.Perdure;
import io.perdure.server.Asking.Answer;
import io.perdure.server.Asking.Request;
import io.perdure.server.http.UnderWay;
import io.perdure.server.http.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory for the bodies of requests is taken by what has come of them. */
class BodyBudgetTest {
    private static final int KIB = 1024;
    private static final int MOST = 210 * KIB;
    private static final int LARGE = 200 * KIB;
    private static final int PATIENCE_MILLIS = 60_000;

    @TempDir
    private Path directory;

    private final UnderWay underWay = new UnderWay(100, MOST);
    private final List<Socket> sockets = new ArrayList<>();
    private Perdure engine;
    private RestServer server;

    @BeforeEach
    void serve() {
        engine = Opened.over(FailingStore.open("jdbc:sqlite:" + directory.resolve("store.db")))
                .serve();
        engine.createQueue("mails");
        server = new RestServer(engine, new Waiting(1), underWay);
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        server.close();
        engine.close();
    }

    /** Announces a body and sends this much of it. */
    private Socket begin(String tenant, int announced, int sent) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        sockets.add(socket);
        socket.setSoTimeout(PATIENCE_MILLIS);
        String head = "POST /v1/queues/mails/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + RestServer.TENANT + ": " + tenant + "\r\nContent-Length: " + announced + "\r\n\r\n";
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(" ".repeat(sent).getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private Answer send(String tenant, int bytes) {
        return server.asking.ask(new Request("POST", "/v1/queues/mails/messages", "{\"body\":1}" + " ".repeat(bytes))
                .with(RestServer.TENANT, tenant));
    }

    @Test
    void bodies_thatAreAnnouncedAndNotSent_holdNoMemory() throws IOException {
        for (int i = 0; i < 5; i++) {
            int count = i + 1;
            begin("default", LARGE, 0);
            Served.until(() -> underWay.count() == count);
        }

        assertThat(send("default", LARGE / 2).status()).isEqualTo(201);
    }

    @Test
    void body_aboveTheMemoryOfItsTenant_isRefusedAndItsConnectionClosed() throws IOException {
        begin("greedy", LARGE, LARGE - 1);
        // Before another request holds some, which would keep this one from growing.
        Served.until(() -> underWay.kibibytes() >= 200);
        Served.until(() -> send("greedy", KIB).status() == 429);

        Answer refused = send("greedy", 10 * KIB);
        assertThat(refused.code()).isEqualTo("PD-605");
        assertThat(refused.body()).contains("tenant greedy has", "of 210 KiB", "-Xmx");
        Socket cut = begin("greedy", LARGE, 0);
        String answer = new String(cut.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(answer).startsWith("HTTP/1.1 429 ").contains("Connection: close");

        assertThat(send("default", KIB).status()).isEqualTo(201);
    }
}
