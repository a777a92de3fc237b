package io.perdure.server;

import static io.perdure.server.worker.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.client.Elsewhere;
import io.perdure.core.OpenOptions;
import io.perdure.core.Perdure;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Workflow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server that starts anew over its file does with the runs that are in progress. */
final class RestartedServerTest {
    private static final int RUNS = 4;
    private static final String PROBE = "probe";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Longer than a busy machine takes for a restart, so that no lease ends by itself. */
    private static final Duration LEASE = Duration.ofMinutes(10);

    private final Map<String, Integer> begun = new ConcurrentHashMap<>();
    private final CountDownLatch goOn = new CountDownLatch(1);

    private final Workflow<String, String> workflow = Workflow.named("held")
            .run(
                    String.class,
                    String.class,
                    (context, input) -> context.step("hold", String.class, () -> {
                        begun.merge(input, 1, Integer::sum);
                        if (!input.equals(PROBE) && !goOn.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                            throw new AssertionError("The step was not let go on.");
                        }
                        return input + " done";
                    }));

    @TempDir
    Path folder;

    @SuppressWarnings("NullAway.Init") // Given by JUnit.
    RestartedServerTest() {}

    private PerdureServer serve(int port) {
        String url = "jdbc:sqlite:" + folder.resolve("app.db");
        return PerdureServer.over(
                ServerOptions.of(url).port(port).drain(Duration.ofMillis(200)), Perdure.open(url, options()));
    }

    private static OpenOptions options() {
        OpenOptions usual = OpenOptions.defaults();
        Limits.Runs runs = usual.limits().runs();
        Limits.Runs longer = new Limits.Runs(
                runs.events(),
                runs.eventsCeiling(),
                runs.readBytes(),
                runs.readBytesCeiling(),
                runs.readTries(),
                runs.mailbox(),
                runs.wakeOn(),
                runs.tags(),
                runs.retentionDaysDefault(),
                runs.retentionDaysMax(),
                runs.retentionDaysCeiling(),
                LEASE,
                runs.lapsesBeforeParking());
        return new OpenOptions(usual.tenant(), usual.codec(), usual.limits().with(longer));
    }

    @Test
    void restart_whileRemoteWorkerHoldsRuns_leavesThemWithThatWorker() throws InterruptedException {
        PerdureServer first = serve(0);
        int port = first.port();
        List<Run<String>> runs = new ArrayList<>();
        // As many as it has room for, so that it does not take the probe.
        try (Elsewhere holder = Elsewhere.working(port, RUNS, workflow)) {
            for (int number = 0; number < RUNS; number++) {
                runs.add(first.engine().start(workflow, "run " + number));
            }
            until(() -> begun.size() == RUNS);
            first.close();
            try (PerdureServer second = serve(port);
                    Elsewhere _ = Elsewhere.working(port, 10, workflow)) {
                // A claim takes the oldest first. Once it came to the probe it was offered all that was free.
                assertThat(second.engine().start(workflow, PROBE).result(PATIENCE))
                        .isEqualTo("probe done");
                assertThat(holder.runs()).isEqualTo(RUNS);
                goOn.countDown();
                for (Run<String> run : runs) {
                    Run<Json> after = second.engine().run(run.id());
                    assertThat(after.result(PATIENCE).text()).contains("done");
                    assertThat(after.history())
                            .filteredOn(recorded -> recorded.event() instanceof Event.StepCompleted)
                            .hasSize(1);
                }
            }
        }
        assertThat(begun)
                .hasSize(RUNS + 1)
                .allSatisfy((_, times) ->
                        assertThat(times).as("times that the step was begun").isEqualTo(1));
    }
}
