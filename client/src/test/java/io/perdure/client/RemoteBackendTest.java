package io.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.ForwardingEnvironment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.wire.ClaimJson;
import io.perdure.sdk.wire.Terms;
import io.perdure.sdk.worker.Backend;
import io.perdure.sdk.worker.Claim;
import io.perdure.sdk.worker.Held;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a worker tells the server with its claims. */
class RemoteBackendTest {
    static final String TERMS = new Terms(Set.of(Terms.PROTOCOL), "0.1.0", Duration.ofSeconds(10))
            .json()
            .text();

    private static final List<Claim.Served> SERVED = List.of(new Claim.Served(new WorkflowName("order"), Set.of(1)));

    private static final Held HELD = new Held(RunId.parse("01997a3e-0000-7000-8000-000000000001"), new UUID(0, 1));

    private static final Backend.Listener DEAF = new Backend.Listener() {
        @Override
        public void due() {}

        @Override
        public void ended(RunId run) {}
    };

    private final Environment real = new SystemEnvironment();

    /** Stands still, so that a lease is over only when a test says so. */
    private final AtomicLong nanoTime = new AtomicLong(real.nanoTime());

    private final Environment environment = new ForwardingEnvironment() {
        @Override
        public Environment real() {
            return real;
        }

        @Override
        public long nanoTime() {
            return nanoTime.get();
        }
    };
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

    private String claimed() {
        return server.asked().stream()
                .filter(asked -> asked.target().endsWith("/claim"))
                .toList()
                .getLast()
                .body();
    }

    /** Whether the store can be reached is for the worker to decide, from its extensions and claims. */
    @Test
    void claim_afterAnotherRequestFailed_takesLapsedRuns() {
        claim("{\"number\":41,\"runs\":[]}");
        server.then(ScriptedServer.problem(503, new StoreException(ErrorCode.STORE_BUSY, "Busy.")));
        assertThatExceptionOfType(PerdureException.class).isThrownBy(() -> backend.mailbox(HELD));
        claim("{\"number\":42,\"runs\":[]}");
        assertThat(claimed()).contains("\"reclaims\":true");

        server.then(ScriptedServer.answer(404, "<html>Not Found</html>"));
        assertThatExceptionOfType(PerdureException.class).isThrownBy(() -> backend.extend(List.of(HELD)));
        server.then(TERMS);
        claim("{\"number\":43,\"runs\":[]}");
        assertThat(claimed()).contains("\"reclaims\":true");
    }

    @Test
    void claim_ofAWorkerThatCameWhileTheServerWasAway_leavesLapsedRunsAloneForOneLease() {
        server.then(ScriptedServer.problem(503, new StoreException(ErrorCode.STORE_BUSY, "Busy.")));
        assertThatExceptionOfType(PerdureException.class).isThrownBy(() -> backend.watch(DEAF));
        server.otherwise(exchange -> ScriptedServer.answer(
                        200,
                        exchange.getRequestURI().getPath().endsWith("/watch")
                                ? "{\"due\":false,\"ended\":[]}"
                                : "{\"number\":41,\"runs\":[]}")
                .answer(exchange));
        Claim claim = new Claim(SERVED, 10, true);
        Duration lease = Limits.defaults().runs().lease();
        try (Backend.Watch _ = backend.watch(DEAF)) {
            assertThat(backend.claim(claim).nextIn()).isEqualTo(lease);
            assertThat(claimed()).contains("\"reclaims\":false");

            nanoTime.addAndGet(lease.toNanos());
            assertThat(backend.claim(claim).nextIn()).isNull();
            assertThat(claimed()).contains("\"reclaims\":true");
        }
    }
}
