package io.perdure.server.worker;

import static io.perdure.server.worker.Waiting.PATIENCE;
import static io.perdure.server.worker.Waiting.await;
import static io.perdure.server.worker.Waiting.pause;
import static io.perdure.server.worker.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.client.Elsewhere;
import io.perdure.postgres.PostgresBinaries;
import io.perdure.postgres.PrivatePostgres;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Workflow;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers whose requests go now to one, now to the other of two servers of one store. */
final class TwoServersTest {
    private static final int RUNS = 200;
    private static final int STEPS = 3;
    private static final Duration LONGER_THAN_A_LEASE =
            Limits.defaults().runs().lease().plusSeconds(3);

    private final Map<String, AtomicInteger> seen = new ConcurrentHashMap<>();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    private Workflow<String, String> workflow() {
        return Workflow.named("shared").run(String.class, String.class, (context, input) -> {
            for (int i = 0; i < STEPS; i++) {
                String step = "step-" + i;
                context.step(step, () -> {
                    seen.computeIfAbsent(input + " " + step, _ -> new AtomicInteger())
                            .incrementAndGet();
                    if (input.equals("held")) {
                        begun.countDown();
                        await(go);
                    }
                });
            }
            return input;
        });
    }

    @Test
    @Timeout(120)
    void everyRunIsDoneOnceAndNoneIsTakenFromWhoHasItInHand() throws IOException, InterruptedException {
        Workflow<String, String> workflow = workflow();
        try (PrivatePostgres postgres =
                        PrivatePostgres.start(PostgresBinaries.bundled(), PrivatePostgres.WITHOUT_DURABILITY);
                TestServer first = new TestServer(postgres.url());
                TestServer second = new TestServer(postgres.url());
                AlternatingProxy proxy = new AlternatingProxy(first.port(), second.port());
                Elsewhere one = Elsewhere.working(proxy.port(), 20, workflow);
                Elsewhere other = Elsewhere.working(proxy.port(), 20, workflow)) {
            List<Run<String>> runs = new ArrayList<>();
            runs.add(first.perdure().start(workflow, "held"));
            await(begun);
            for (int i = 0; i < RUNS; i++) {
                TestServer server = i % 2 == 0 ? first : second;
                runs.add(server.perdure().start(workflow, "run " + i));
            }
            for (int i = 0; i < RUNS; i++) {
                assertThat(runs.get(i + 1).result(PATIENCE)).isEqualTo("run " + i);
            }
            // Whoever has no more to do looks for what others have let lapse.
            pause(LONGER_THAN_A_LEASE);
            go.countDown();

            assertThat(runs.getFirst().result(PATIENCE)).isEqualTo("held");
            until(() -> one.runs() + other.runs() == 0);
            assertThat(seen)
                    .hasSize((RUNS + 1) * STEPS)
                    .allSatisfy((_, times) -> assertThat(times).hasValue(1));
            assertThat(runs)
                    .allSatisfy(run -> assertThat(run.history().stream()
                                    .filter(recorded -> recorded.event() instanceof Event.RunCompleted))
                            .hasSize(1));
        }
    }
}
