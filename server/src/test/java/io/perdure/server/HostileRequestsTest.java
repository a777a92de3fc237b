package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.key.Role;
import io.perdure.sdk.run.StartOptions;
import io.perdure.testkit.Seeds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is sent to a server, it answers that the sender is at fault, or closes the connection; it loses nothing, and goes on. */
class HostileRequestsTest {
    private static final int REQUESTS = 20_000;
    private static final int SENDERS = 16;
    private static final int STUBBORN = 4;

    @TempDir
    private Path directory;

    @Test
    void nothingThatIsSentMakesTheServerFailHangOrForget() throws Exception {
        long seed = Seeds.asked().findFirst().orElse(1);
        try (PerdureServer server = PerdureServer.start(ServerOptions.of("jdbc:sqlite:" + directory.resolve("store.db"))
                .port(0)
                .maxBodyBytes(64 * 1024))) {
            Perdure engine = server.engine();
            RunId sentinel = engine.start("sentinel", Json.of("{\"kept\":1.50}"), StartOptions.defaults())
                    .id();
            engine.createQueue("sentinel").send(Json.of("{\"kept\":2.50}"));
            Map<Integer, Integer> statuses = new ConcurrentSkipListMap<>();
            Queue<String> wrong = new ConcurrentLinkedQueue<>();

            attack(server, seed, statuses, wrong);

            assertThat(wrong).as("-D%s=%s", Seeds.PROPERTY, seed).isEmpty();
            // Otherwise it was all turned away at the door.
            assertThat(statuses.keySet()).contains(200, 201, 400, 401, 404, 405, 409, 413, 415, 422);
            assertThat(engine.run(sentinel).info().input()).isEqualTo(Json.of("{\"kept\":1.50}"));
            assertThat(engine.run(sentinel).status()).isEqualTo(RunStatus.RUNNING);
            assertThat(engine.queue("sentinel").receive().getFirst().body()).isEqualTo(Json.of("{\"kept\":2.50}"));
            try (Asking asking = new Asking(server.url())) {
                assertThat(asking.ask("GET", "/readyz").status()).isEqualTo(200);
            }
        }
    }

    private static void attack(PerdureServer server, long seed, Map<Integer, Integer> statuses, Queue<String> wrong)
            throws Exception {
        TenantId tenant = new TenantId("hostile");
        Perdure theirs = server.engine().tenant(tenant);
        String token = server.engine()
                .keys()
                .create(tenant, "hostile", Role.ADMIN, null)
                .token();
        theirs.createQueue("target");
        String run = theirs.start("order", Json.of("1"), StartOptions.defaults())
                .id()
                .toString();
        Map<String, String> parts = Map.of("name", "target", "id", run, "event", "paid", "receipt", run + "." + run);
        List<Future<?>> senders = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int sender = 0; sender < SENDERS; sender++) {
                Hostility hostility = new Hostility(new SplittableRandom(seed + sender), token, parts);
                senders.add(threads.submit(() -> {
                    for (int i = 0; i < REQUESTS / SENDERS; i++) {
                        judge(server, hostility.next(), statuses, wrong);
                    }
                }));
            }
            for (int i = 0; i < STUBBORN; i++) {
                senders.add(threads.submit(() -> judge(server, endless(token), statuses, wrong)));
            }
            for (Future<?> sender : senders) {
                sender.get();
            }
        }
    }

    /** A body of which the rest never comes, over a connection that stays open. */
    private static RawRequest endless(String token) {
        String request =
                "POST /v1/queues HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer "
                        + token + "\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n";
        return new RawRequest(request.getBytes(StandardCharsets.US_ASCII), false);
    }

    private static void judge(
            PerdureServer server, RawRequest request, Map<Integer, Integer> statuses, Queue<String> wrong) {
        try {
            int status = request.send(server.port());
            statuses.merge(status, 1, Integer::sum);
            if (status >= 500) {
                wrong.add(status + " to " + request);
            }
        } catch (IOException e) {
            wrong.add(e + " to " + request);
        }
    }
}
