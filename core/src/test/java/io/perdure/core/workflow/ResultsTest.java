package io.perdure.core.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.OpenOptions;
import io.perdure.core.store.Ledger;
import io.perdure.core.store.Store;
import io.perdure.core.store.memory.MemoryStore;
import io.perdure.core.telemetry.Telemetry;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.RunEnd;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.run.WhenParked;
import io.perdure.sdk.worker.Follower;
import io.perdure.sdk.workflow.Workflow;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ResultsTest {
    private static final Duration LONG = Duration.ofSeconds(50);

    private static final Workflow<String, String> ECHO =
            Workflow.named("echo").run(String.class, String.class, (_, input) -> input);

    private final Environment environment = new SystemEnvironment();
    private final OpenOptions options = OpenOptions.defaults();
    private final AtomicInteger looks = new AtomicInteger();
    private final Store store = counted(new MemoryStore(environment.clock(), options.limits()));

    /** Counts how often a run is looked at. */
    private Store counted(Store real) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (_, method, arguments) -> {
                    if (method.getName().equals("run")) {
                        looks.incrementAndGet();
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** The worker committed a failure and was held up before it said so; meanwhile the run was redriven. */
    @Test
    void await_afterARedrive_doesNotTakeTheFailureBeforeItForTheEnd() throws Exception {
        try (Ledger ledger = Ledger.open(store, environment, options.limits());
                Results results = new Results(store, environment, options.tenant(), _ -> true)) {
            RunId run = started(ledger);
            FutureTask<RunEnd> end = new FutureTask<>(() -> results.await(run, LONG, WhenParked.STOP));
            Thread waiting = Thread.ofPlatform().daemon().start(end);
            while (waiting.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            Follower worker = results.follower(run);

            int before = looks.get();
            worker.ended(RunStatus.FAILED, null, new Failure("java.io.IOException", "before", null));
            while (looks.get() == before && !end.isDone()) {
                Thread.onSpinWait();
            }
            worker.ended(RunStatus.COMPLETED, Json.NULL, null);

            assertThat(end.get(LONG.toSeconds(), TimeUnit.SECONDS).status()).isEqualTo(RunStatus.COMPLETED);
        }
    }

    private RunId started(Ledger ledger) {
        Workflows.Setup setup = new Workflows.Setup(
                store,
                ledger,
                environment,
                options.tenant(),
                options.codec(),
                options.limits(),
                new Telemetry(options.watchers()));
        try (Workflows workflows = new Workflows(setup)) {
            return workflows.start(ECHO, "input", StartOptions.defaults()).id();
        }
    }
}
