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

/** Sends a server what nobody should send, and sees that it neither fails nor hangs nor forgets. */
final class HostileRequests {
    private static final int SENDERS = 16;

    /** What is not HTTP may go unanswered, and so may what is refused before all of it was sent: of one seed 71 of 20,000 did. */
    private static final int ONE_UNANSWERED_OF = 50;

    private static final TenantId TENANT = new TenantId("hostile");

    private final PerdureServer server;
    private final int requests;
    private final int stubborn;
    private final long seed = Seeds.asked().findFirst().orElse(1);
    private final Map<Integer, Integer> statuses = new ConcurrentSkipListMap<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    /**
     * Attacks a server.
     *
     * @param requests how many are sent
     * @param stubborn how many more there are whose end never comes
     */
    HostileRequests(PerdureServer server, int requests, int stubborn) {
        this.server = server;
        this.requests = requests;
        this.stubborn = stubborn;
    }

    void check() throws Exception {
        Perdure engine = server.engine();
        RunId sentinel = engine.start("sentinel", Json.of("{\"kept\":1.50}"), StartOptions.defaults())
                .id();
        engine.createQueue("sentinel").send(Json.of("{\"kept\":2.50}"));

        attack();

        assertThat(wrong).as("-D%s=%s", Seeds.PROPERTY, seed).isEmpty();
        // Otherwise it was all turned away at the door.
        assertThat(statuses.keySet()).contains(200, 201, 400, 401, 404, 405, 409, 413, 415, 422);
        assertThat(statuses.getOrDefault(RawRequest.NO_ANSWER, 0))
                .as("without an answer, of %s", statuses)
                .isLessThan(requests / ONE_UNANSWERED_OF);
        assertThat(Hostility.SHARED_IDS)
                .as("ids that were taken for requests that are done once")
                .anyMatch(id -> engine.tenant(TENANT).requests().find(id).isPresent());
        assertThat(engine.run(sentinel).info().input()).isEqualTo(Json.of("{\"kept\":1.50}"));
        assertThat(engine.run(sentinel).status()).isEqualTo(RunStatus.RUNNING);
        assertThat(engine.queue("sentinel").receive().getFirst().body()).isEqualTo(Json.of("{\"kept\":2.50}"));
        try (Asking asking = new Asking(server.url())) {
            assertThat(asking.ask("GET", "/readyz").status()).isEqualTo(200);
        }
    }

    private void attack() throws Exception {
        HostileTargets targets = new HostileTargets(server.engine().tenant(TENANT));
        String token = server.engine()
                .keys()
                .create(TENANT, "hostile", Role.ADMIN, null)
                .token();
        List<Future<?>> senders = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int sender = 0; sender < SENDERS; sender++) {
                Hostility hostility = new Hostility(new SplittableRandom(seed + sender), token, targets);
                senders.add(threads.submit(() -> {
                    for (int i = 0; i < requests / SENDERS; i++) {
                        judge(hostility.next());
                    }
                }));
            }
            for (int i = 0; i < stubborn; i++) {
                senders.add(threads.submit(() -> judge(endless(token))));
            }
            for (Future<?> sender : senders) {
                sender.get();
            }
        }
        assertThat(targets.leased()).as("messages that they could settle").isGreaterThan(requests / 1000);
    }

    /** A body of which the rest never comes, over a connection that stays open. */
    private static RawRequest endless(String token) {
        String request =
                "POST /v1/queues HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer "
                        + token + "\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n";
        return new RawRequest(request.getBytes(StandardCharsets.US_ASCII), false);
    }

    private void judge(RawRequest request) {
        try {
            RawAnswer answer = request.ask(server.port());
            int status = answer.status();
            statuses.merge(status, 1, Integer::sum);
            if (status >= 500) {
                wrong.add(status + " to " + request);
            } else if (status != RawRequest.NO_ANSWER && answer.complete()) {
                AnswerCheck.faults(request.seen(answer))
                        .forEach(fault -> wrong.add(fault + ": " + answer + " to " + request));
            }
        } catch (IOException e) {
            wrong.add(e + " to " + request);
        }
    }
}
