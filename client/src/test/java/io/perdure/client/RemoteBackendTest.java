package io.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.wire.ClaimJson;
import io.perdure.sdk.wire.Terms;
import io.perdure.sdk.worker.Claim;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a worker tells the server of the answers to its claims. */
class RemoteBackendTest {
    static final String TERMS = new Terms(Set.of(Terms.PROTOCOL), "0.1.0", Duration.ofSeconds(10))
            .json()
            .text();

    private static final List<Claim.Served> SERVED = List.of(new Claim.Served(new WorkflowName("order"), Set.of(1)));

    private final SystemEnvironment environment = new SystemEnvironment();
    private final ScriptedServer server = new ScriptedServer();
    private final Transport transport = new Transport(URI.create(server.url()), null, null, environment);
    private final RemoteBackend backend = new RemoteBackend(
            new Agreement(transport, environment.ids().processId(), Limits.defaults(), Set.of(Terms.PROTOCOL)),
            environment,
            SERVED,
            Limits.defaults());

    @BeforeEach
    void agree() {
        server.then(TERMS);
    }

    @AfterEach
    void close() {
        backend.close();
        transport.close();
        server.close();
    }

    private void claim(String answer) {
        server.then(answer);
        backend.claim(new Claim(SERVED, 10, true));
    }

    private long received() {
        return ClaimJson.received(Json.of(server.asked().getLast().body()));
    }

    @Test
    void theNewestAnswerIsNamed() {
        claim("{\"number\":41,\"runs\":[]}");
        assertThat(received()).isEqualTo(ClaimJson.NONE_RECEIVED);
        claim("{\"number\":42,\"runs\":[]}");
        assertThat(received()).isEqualTo(41);
        claim("{\"number\":43,\"runs\":[]}");
        assertThat(received()).isEqualTo(42);
    }

    @Test
    void anAnswerThatCannotBeReadWasNotReceived() {
        claim("{\"number\":41,\"runs\":[]}");
        assertThatExceptionOfType(PerdureException.class).isThrownBy(() -> claim("{\"number\":42,\"runs\":{}}"));

        claim("{\"number\":43,\"runs\":[]}");
        assertThat(received()).isEqualTo(41);
    }

    @Test
    void aServerThatNotesNothingDoesNotMakeTheWorkerForgetWhatItReceivedFromAnother() {
        claim("{\"number\":41,\"runs\":[]}");
        claim("{\"runs\":[]}");
        claim("{\"number\":0,\"runs\":[]}");
        assertThat(received()).isEqualTo(41);

        claim("{\"runs\":[]}");
        assertThat(received()).isEqualTo(41);
    }

    @Test
    void whoMeetsSomethingElseThereTakesNoLapsedRuns() {
        claim("{\"number\":41,\"runs\":[]}");
        assertThat(server.asked().getLast().body()).contains("\"reclaims\":true");
        server.then(ScriptedServer.answer(404, "<html>Not Found</html>"));
        assertThatExceptionOfType(PerdureException.class)
                .isThrownBy(() -> backend.claim(new Claim(SERVED, 10, true)))
                .returns(ErrorCode.PROTOCOL_MISMATCH, PerdureException::code);

        server.then(TERMS);
        claim("{\"number\":42,\"runs\":[]}");
        assertThat(server.asked().getLast().body()).contains("\"reclaims\":false");
    }
}
