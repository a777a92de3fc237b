package io.perdure.server.worker;

import static io.perdure.server.worker.Waiting.PATIENCE;
import static io.perdure.server.worker.Waiting.await;
import static io.perdure.server.worker.Waiting.pause;
import static io.perdure.server.worker.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.client.Elsewhere;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.wire.Terms;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.server.worker.UnreliableProxy.Mode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker that loses its server loses nothing, and stops working on what it no longer leases. */
class LostConnectionTest {
    @TempDir
    Path folder;

    @SuppressWarnings("NullAway.Init") // Given by JUnit.
    LostConnectionTest() {}

    private String url() {
        return "jdbc:sqlite:" + folder.resolve("app.db");
    }

    private static Workflow<String, Integer> witnessed(Map<String, List<Integer>> ran) {
        return witnessed(ran, Map.of());
    }

    /** Writes down which step of which run ran, in the order it did; the runs of the latches stay in their second step until those are open. */
    private static Workflow<String, Integer> witnessed(
            Map<String, List<Integer>> ran, Map<String, CountDownLatch> held) {
        return Workflow.named("witnessed").run(String.class, Integer.class, (context, input) -> {
            int sum = 0;
            for (int i = 0; i < 4; i++) {
                int place = i;
                sum += context.step("step-" + i, Integer.class, () -> {
                    ran.computeIfAbsent(input, _ -> new CopyOnWriteArrayList<>())
                            .add(place);
                    CountDownLatch latch = held.get(input);
                    if (latch != null && place == 1) {
                        await(latch);
                    }
                    return 1;
                });
            }
            return sum;
        });
    }

    @Test
    void noStepThatWasAcknowledgedRunsAgainWhileTheConnectionFails() throws Exception {
        Map<String, List<Integer>> ran = new ConcurrentHashMap<>();
        Map<String, CountDownLatch> held = new ConcurrentHashMap<>();
        Workflow<String, Integer> workflow = witnessed(ran, held);
        try (TestServer server = new TestServer(url());
                UnreliableProxy proxy = new UnreliableProxy(server.port());
                Elsewhere worker = Elsewhere.working(proxy.port(), 50, workflow)) {
            List<Run<Integer>> runs = new ArrayList<>();
            for (int round = 0; round < 12; round++) {
                String first = "run " + round + ".0";
                CountDownLatch failing = new CountDownLatch(1);
                held.put(first, failing);
                for (int i = 0; i < 40; i++) {
                    runs.add(server.perdure().start(workflow, "run " + round + "." + i));
                }
                until(() -> ran.getOrDefault(first, List.of()).contains(1));
                proxy.mode(List.of(Mode.CUT, Mode.SWALLOW, Mode.STALL).get(round % 3));
                failing.countDown();
                pause(Duration.ofMillis(150 + 50L * round));
                proxy.mode(Mode.PASS);
                pause(Duration.ofMillis(100));
            }

            assertThat(runs).allSatisfy(run -> assertThat(run.result(PATIENCE)).isEqualTo(4));
            // Whoever begins a step has heard that the ones before are durable.
            assertThat(ran)
                    .hasSize(runs.size())
                    .allSatisfy((_, places) -> assertThat(places).isSorted().contains(0, 1, 2, 3));
            until(() -> worker.runs() == 0);
        }
    }

    @Test
    void whoIsCutOffForLongerThanItsLeaseStopsAndAnotherFinishes() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        AtomicInteger attempts = new AtomicInteger();
        Workflow<String, String> workflow = Workflow.named("stolen")
                .run(
                        String.class,
                        String.class,
                        (context, _) -> context.step("only", String.class, () -> {
                            if (attempts.incrementAndGet() > 1) {
                                return "second";
                            }
                            begun.countDown();
                            try {
                                await(new CountDownLatch(1));
                            } catch (InterruptedException e) {
                                interrupted.countDown();
                                throw e;
                            }
                            return "first";
                        }));
        try (TestServer server = new TestServer(url());
                UnreliableProxy proxy = new UnreliableProxy(server.port());
                Elsewhere cutOff = Elsewhere.working(proxy.port(), 10, workflow)) {
            Run<String> run = server.perdure().start(workflow, "");
            await(begun);
            proxy.mode(Mode.STALL);
            try (Elsewhere _ = Elsewhere.working(server.port(), 10, workflow)) {
                assertThat(run.result(PATIENCE)).isEqualTo("second");
            }
            proxy.mode(Mode.PASS);
            await(interrupted);
            until(() -> cutOff.runs() == 0);

            assertThat(attempts).hasValue(2);
            assertThat(run.result(PATIENCE)).isEqualTo("second");
        }
    }

    @Test
    void aWorkerGoesOnWhenTheServerWasStartedAnew() throws IOException, InterruptedException {
        Map<String, List<Integer>> ran = new ConcurrentHashMap<>();
        Workflow<String, Integer> workflow = witnessed(ran);
        TestServer first = new TestServer(url());
        int port = first.port();
        try (Elsewhere worker = Elsewhere.working(port, 50, workflow)) {
            assertThat(first.perdure().start(workflow, "before").result(PATIENCE))
                    .isEqualTo(4);
            first.close();
            try (TestServer second = new TestServer(url(), port, TestServer.WORKERS, Set.of(Terms.PROTOCOL))) {
                Run<Integer> after = second.perdure().start(workflow, "after");

                assertThat(after.result(PATIENCE)).isEqualTo(4);
                until(() -> worker.runs() == 0);
            }
        }
        assertThat(ran.get("after")).containsExactly(0, 1, 2, 3);
    }

    @Test
    void aWorkerWaitsForAServerThatIsNotThereYet() throws Exception {
        Map<String, List<Integer>> ran = new ConcurrentHashMap<>();
        Workflow<String, Integer> workflow = witnessed(ran);
        try (TestServer server = new TestServer(url());
                UnreliableProxy proxy = new UnreliableProxy(server.port())) {
            proxy.mode(Mode.CUT);
            try (Elsewhere _ = Elsewhere.working(proxy.port(), 50, workflow)) {
                Run<Integer> run = server.perdure().start(workflow, "early");
                proxy.mode(Mode.PASS);

                assertThat(run.result(PATIENCE)).isEqualTo(4);
            }
        }
    }
}
