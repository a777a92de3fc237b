package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.core.Perdure;
import io.perdure.postgres.CuttingProxy;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.queue.ConsumeOptions;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A database that is gone for good. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class DeadDatabaseTest {
    private final FreshDatabase database = new FreshDatabase();

    @AfterEach
    void drop() {
        database.close();
    }

    /** With a patience of the store's own, each batch behind an abandoned lane would wait for one. */
    @Test
    void openLanes_againstADeadDatabase_leavesFurtherAttemptsToTheLedger() {
        CuttingProxy proxy = CuttingProxy.inFrontOf(TestPostgres.server().port());
        SystemEnvironment environment = new SystemEnvironment();
        try (PostgresStore store = PostgresStore.open(
                PostgresUrl.parse(proxy.url(database.name())), environment, Mailroom.patient(Duration.ofMinutes(10)))) {
            proxy.close();

            assertThatThrownBy(() -> store.openLanes(environment.ids().processId(), 1))
                    .isInstanceOf(StoreException.class);
        }
    }

    /** Whatever it waits for has a patience of ten minutes: only the drain that all share ends it in time. */
    @Test
    void close_againstADeadDatabase_waitsForOneDrain() throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        Workflow<Integer, Integer> stuck = Workflow.named("stuck")
                .version(1)
                .run(Integer.class, Integer.class, (context, number) -> {
                    context.step("first", () -> running.countDown());
                    return context.step("second", Integer.class, () -> number);
                });
        CuttingProxy proxy = CuttingProxy.inFrontOf(TestPostgres.server().port());
        Perdure perdure = Perdure.open(
                        proxy.url(database.name()),
                        Mailroom.options(Duration.ofMinutes(10)).drain(Duration.ofMillis(200)))
                .register(stuck)
                .start();
        perdure.createQueue("work");
        perdure.consume("work", ConsumeOptions.defaults().drain(Duration.ofMillis(200)), _ -> {});
        perdure.start(stuck, 1, StartOptions.defaults());
        running.await();
        proxy.close();
        FutureTask<?> read = new FutureTask<>(perdure::queues);
        Thread.startVirtualThread(read);

        perdure.close();

        assertThatThrownBy(read::get).hasCauseInstanceOf(StoreException.class);
        // The code of the run hears that its commit was cut, and ends.
        while (perdure.working() > 0) {
            Thread.onSpinWait();
        }
    }
}
