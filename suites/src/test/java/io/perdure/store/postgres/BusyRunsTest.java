package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.postgres.PrivatePostgres;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.testkit.Exhaustive;
import io.perdure.testkit.crash.Engine;
import io.perdure.testkit.crash.Sightings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that stops or falls under two busy engines: their runs go on where they were. */
@Exhaustive
@Timeout(300)
final class BusyRunsTest {
    private static final int PAUSE_SECONDS = 15;
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final Duration STEP = Duration.ofMillis(100);
    private static final List<String> STEPS =
            IntStream.range(0, 20).mapToObj(number -> "step-" + number).toList();

    private static final String TERMINATE = """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = 'failed_over' AND backend_type = 'client backend' AND pid <> pg_backend_pid()""";

    private final PrivatePostgres server = TestPostgres.breakable();
    private final Sightings seen = new Sightings();
    private final Workflow<String, String> workflow = Workflow.named("busy")
            .run(String.class, String.class, (ctx, _) -> {
                for (String step : STEPS) {
                    ctx.step(step, () -> {
                        seen.see(ctx);
                        LockSupport.parkNanos(STEP.toNanos());
                    });
                }
                return "done";
            });

    /** Longer than a lease: everybody's leases have run out when the server is back, and nobody takes what is another's. */
    @Test
    void noStepRunsAgainThoughTheServerStoodStill() throws InterruptedException {
        int runs = 1_000;
        try (Store here = open("stood_still");
                Store there = open("stood_still");
                Engine left = Engine.over(here, workflow);
                Engine right = Engine.over(there, workflow)) {
            List<Run<String>> started = start(left, right, runs);
            await(runs * STEPS.size() / 4);
            server.pause();
            try {
                // Nobody counts down: it is the time that is waited for.
                assertThat(new CountDownLatch(1).await(PAUSE_SECONDS, TimeUnit.SECONDS))
                        .isFalse();
            } finally {
                server.resume();
            }
            started.forEach(run -> assertThat(run.result(LONG)).isEqualTo("done"));
            assertThat(seen.repeated()).as("steps that ran again").isEmpty();
            assertThat(seen.count()).isEqualTo(runs * STEPS.size());
        }
    }

    @Test
    void databaseFailsOverMidStep() {
        int runs = 100;
        try (Store here = open("failed_over");
                Store there = open("failed_over");
                Engine left = Engine.over(here, workflow);
                Engine right = Engine.over(there, workflow)) {
            List<Run<String>> started = start(left, right, runs);
            await(runs * STEPS.size() / 4);
            server.execute(TERMINATE);
            await(runs * STEPS.size() / 2);
            server.crash();
            server.restart();
            for (Run<String> run : started) {
                assertThat(run.result(LONG)).isEqualTo("done");
                assertThat(completions(run)).isEqualTo(STEPS);
            }
            seen.comeInOrder(STEPS);
        }
    }

    private Store open(String database) {
        return Stores.open(server.url(database), new SystemEnvironment(), Limits.defaults());
    }

    private List<Run<String>> start(Engine left, Engine right, int runs) {
        List<CompletableFuture<Run<String>>> started = new ArrayList<>();
        for (int number = 0; number < runs; number++) {
            Engine engine = number % 2 == 0 ? left : right;
            started.add(CompletableFuture.supplyAsync(
                    () -> engine.start(workflow, "", StartOptions.defaults()), Thread::startVirtualThread));
        }
        return started.stream().map(CompletableFuture::join).toList();
    }

    private void await(int steps) {
        while (seen.count() < steps) {
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }

    private static List<String> completions(Run<?> run) {
        return run.history().stream()
                .map(Recorded::event)
                .filter(Event.StepCompleted.class::isInstance)
                .map(event -> ((Event.StepCompleted) event).step().value())
                .toList();
    }
}
