package io.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.client.ScriptedServer.Asked;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.worker.Registry;
import io.perdure.sdk.workflow.Workflow;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a worker begins, and ends. */
class RemoteWorkerTest {
    private static final String WORKER = "/v1/worker";
    private static final String ANNOUNCE = "POST " + WORKER + "/announce";
    private static final String WITHDRAW = "POST " + WORKER + "/withdraw";
    private static final String RECLAIMS = "\"reclaims\":true";

    private final ScriptedServer.Turn usual = exchange -> {
        String path = exchange.getRequestURI().getPath();
        String answer = switch (path) {
            case WORKER -> RemoteBackendTest.TERMS;
            case WORKER + "/claim" -> "{\"number\":1,\"runs\":[]}";
            case WORKER + "/watch" -> "{\"due\":false,\"ended\":[]}";
            default -> "{}";
        };
        ScriptedServer.answer(200, answer).answer(exchange);
    };
    private final ScriptedServer server = new ScriptedServer().otherwise(usual);
    private final Transport transport = new Transport(URI.create(server.url()), null, null, new SystemEnvironment());

    @AfterEach
    void close() {
        transport.close();
        server.close();
    }

    private RemoteWorker start() {
        Registry registry = new Registry();
        registry.add(Workflow.named("nothing").run(String.class, String.class, (_, input) -> input));
        return RemoteWorker.start(new RemoteWorker.Setup(transport, registry, Codec.standard(), Limits.defaults(), 10));
    }

    private List<String> lines() {
        return server.asked().stream().map(Asked::line).toList();
    }

    @Test
    void theServerKnowsOfTheWorkerBeforeItClaimsAnything() {
        try (RemoteWorker _ = start()) {
            assertThat(lines()).startsWith("GET " + WORKER, ANNOUNCE);
            assertThat(lines()).filteredOn(ANNOUNCE::equals).hasSize(1);
        }
        assertThat(lines()).filteredOn(WITHDRAW::equals).hasSize(1);
        assertThat(lines().lastIndexOf(ANNOUNCE)).isLessThan(lines().indexOf(WITHDRAW));
    }

    @Test
    void aServerThatHasTooMuchToDoIsWaitedFor() {
        server.then(ScriptedServer.problem(429, new RefusedException(ErrorCode.TOO_MANY_REQUESTS, "Too many.")));

        try (RemoteWorker _ = start()) {
            Eventually.holds(() -> lines().contains(ANNOUNCE) && lines().contains("POST " + WORKER + "/claim"));
        }
        assertThat(lines()).contains(WITHDRAW);
    }

    @Test
    void anAnnouncementThatDoesNotGetThroughIsMadeAgain() {
        server.then(
                ScriptedServer.answer(200, RemoteBackendTest.TERMS),
                ScriptedServer.problem(503, new StoreException(ErrorCode.STORE_BUSY, "Busy.")));

        try (RemoteWorker _ = start()) {
            Eventually.holds(() -> lines().stream().filter(ANNOUNCE::equals).count() >= 2);
        }
        assertThat(lines()).contains(WITHDRAW);
    }

    @Test
    void whatIsNoServerOfOursIsNotWaitedFor() {
        server.then(ScriptedServer.answer(404, "<html>Not Found</html>"));
        assertNoServer();
        server.then(ScriptedServer.answer(200, "<html>Welcome</html>"));
        assertNoServer();
    }

    private void assertNoServer() {
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(this::start)
                .returns(ErrorCode.PROTOCOL_MISMATCH, PerdureException::code);
    }

    private List<String> claims() {
        return server.asked().stream()
                .filter(asked -> asked.line().equals("POST " + WORKER + "/claim"))
                .map(Asked::body)
                .toList();
    }

    /** A proxy that cuts requests which wait must not keep a worker from the runs of one that died. */
    @Test
    void claim_whilePollsForHintsAreCutAgainAndAgain_takesLapsedRuns() {
        AtomicInteger polls = new AtomicInteger();
        server.otherwise(exchange -> {
            boolean cut = exchange.getRequestURI().getPath().endsWith("/watch") && polls.incrementAndGet() % 2 == 0;
            (cut ? ScriptedServer.dropped() : usual).answer(exchange);
        });

        try (RemoteWorker _ = start()) {
            Eventually.holds(() -> polls.get() >= 4);
            server.forget();
            Eventually.holds(() -> claims().stream().anyMatch(claim -> claim.contains(RECLAIMS)));
        }
    }

    @Test
    void claim_afterOneThatMetSomethingElse_leavesLapsedRunsAlone() {
        AtomicInteger refused = new AtomicInteger();
        server.otherwise(exchange -> {
            String path = exchange.getRequestURI().getPath();
            if (path.endsWith("/watch")) {
                ScriptedServer.answer(200, "{\"due\":true,\"ended\":[]}").answer(exchange);
            } else if (path.endsWith("/claim")
                    && claims().getLast().contains(RECLAIMS)
                    && refused.compareAndSet(0, claims().size())) {
                ScriptedServer.answer(404, "<html>Not Found</html>").answer(exchange);
            } else {
                usual.answer(exchange);
            }
        });

        try (RemoteWorker _ = start()) {
            // Not its first claim: a worker that was just started leaves lapsed runs alone.
            Eventually.holds(() -> refused.get() > 0 && claims().size() > refused.get());
            assertThat(claims().get(refused.get())).doesNotContain(RECLAIMS);
        }
    }

    /** The worker begins with a poll that waits for nothing, on the thread that a close waits for. */
    @Test
    void close_whileTheServerDoesNotAnswerTheFirstPoll_returnsBeforeALongPollWouldEnd() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        server.otherwise(exchange -> {
            boolean poll = exchange.getRequestURI().getPath().endsWith("/watch");
            (poll ? ScriptedServer.held(answered, usual) : usual).answer(exchange);
        });
        PerdureClient client = server.client(
                ConnectOptions.defaults().key("pd_test").drain(Duration.ofSeconds(1)), new SystemEnvironment());
        client.register(Workflow.named("nothing").run(String.class, String.class, (_, input) -> input));
        client.start();
        Eventually.holds(() -> lines().contains("POST " + WORKER + "/watch"));

        FutureTask<?> closing = new FutureTask<>(client::close, null);
        Thread.ofPlatform().start(closing);
        try {
            closing.get(20, TimeUnit.SECONDS);
        } finally {
            answered.countDown();
        }
    }
}
