package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.server.Asking.Answer;
import io.perdure.server.Asking.Request;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An acknowledgement that is sent again is not too late where nobody can get its message any more. */
class AckedAgainTest {
    @TempDir
    private Path directory;

    private PerdureServer server;
    private Asking asking;
    private MessageQueue queue;
    private Delivery delivery;

    @BeforeEach
    void serve() {
        server = PerdureServer.start(
                ServerOptions.of("jdbc:sqlite:" + directory.resolve("store.db")).port(0));
        asking = new Asking(server.url());
        queue = server.engine().createQueue("mails", QueueSettings.defaults().retries(1));
        queue.send(Json.of("1"));
        delivery = queue.receive().getFirst();
    }

    @AfterEach
    void close() {
        asking.close();
        server.close();
    }

    private Answer ack(String again) {
        Request ack = new Request("POST", "/v1/acks", "{\"receipts\":[\"" + delivery.receipt() + "\"]}");
        return asking.ask(again.isEmpty() ? ack : ack.with("Perdure-Again", again));
    }

    private static String late(Receipt receipt) {
        return "{\"acked\":0,\"late\":[\"" + receipt + "\"]}";
    }

    @Test
    void aMessageThatIsGoneWasAcked() {
        assertThat(ack("").body()).isEqualTo("{\"acked\":1,\"late\":[]}");
        assertThat(ack("true").body()).isEqualTo("{\"acked\":1,\"late\":[]}");
        assertThat(ack("").body())
                .as("who does not say that it is a second try")
                .isEqualTo(late(delivery.receipt()));
        assertThat(ack("false").body()).isEqualTo(late(delivery.receipt()));
    }

    @Test
    void theFirstTryMayNotHaveArrived() {
        assertThat(ack("true").body()).isEqualTo("{\"acked\":1,\"late\":[]}");
        assertThat(queue.status().figures().depth()).isZero();
    }

    @Test
    void aMessageThatIsWithSomebodyElseIsLate() {
        delivery.retry(Duration.ZERO, "once more");
        assertThat(ack("true").body()).as("ready again").isEqualTo(late(delivery.receipt()));
        assertThat(queue.receive()).hasSize(1);
        assertThat(ack("true").body()).as("held").isEqualTo(late(delivery.receipt()));
    }

    @Test
    void aDeadLetterIsLate() {
        delivery.reject("as it should");
        assertThat(ack("true").body()).isEqualTo(late(delivery.receipt()));
    }

    @Test
    void whatIsNeitherTrueNorFalseIsRefused() {
        Answer answer = ack("perhaps");
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.json().path("field").asString()).isEqualTo("Perdure-Again");
    }
}
