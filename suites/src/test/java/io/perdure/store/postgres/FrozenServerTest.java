package io.perdure.store.postgres;

import io.perdure.core.Perdure;
import io.perdure.postgres.PrivatePostgres;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.queue.ConsumeOptions;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.testkit.Exhaustive;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that keeps its connections and answers nothing. */
@Exhaustive
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FrozenServerTest {
    private static final Duration DRAIN = Duration.ofMillis(200);

    private final SystemEnvironment environment = new SystemEnvironment();
    private final PrivatePostgres server = TestPostgres.breakable();

    /** Calls to the store have a patience of ten minutes, far beyond the time limit of this test. */
    @Test
    void close_againstAFrozenServer_endsSoonAfterTheDrain() throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        Workflow<Integer, Integer> workflow = Workflow.named("counting")
                .version(1)
                .run(Integer.class, Integer.class, (context, number) -> {
                    context.step("first", running::countDown);
                    return context.step("second", Integer.class, () -> number);
                });
        Perdure perdure = Perdure.open(
                        server.url("closing"),
                        Mailroom.options(Duration.ofMinutes(10)).drain(DRAIN))
                .register(workflow)
                .start();
        perdure.createQueue("work");
        perdure.consume("work", ConsumeOptions.defaults().drain(DRAIN), _ -> {});
        perdure.start(workflow, 1, StartOptions.defaults());
        running.await();
        server.pause();
        try {
            perdure.close();

            // The code of the run hears that its commit was cut, and ends.
            while (perdure.working() > 0) {
                environment.sleep(Duration.ofMillis(5));
            }
        } finally {
            server.resume();
        }
    }
}
