package io.perdure.core.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.OpenOptions;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Committed.WokenRun;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Ledger;
import io.perdure.core.store.Store;
import io.perdure.core.store.memory.MemoryStore;
import io.perdure.core.telemetry.Telemetry;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.worker.Follower;
import io.perdure.sdk.worker.Registry;
import io.perdure.sdk.worker.Surroundings;
import io.perdure.sdk.worker.Worker;
import io.perdure.sdk.workflow.Workflow;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PassingTest {
    private static final Workflow<String, String> ECHO =
            Workflow.named("echo").run(String.class, String.class, (_, input) -> input);

    private final Environment environment = new SystemEnvironment();
    private final OpenOptions options = OpenOptions.defaults();
    private final Limits limits = options.limits();
    private final Registry registry = new Registry();
    private final List<Thread> readers = new CopyOnWriteArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);

    /** Notes the threads that read. */
    private Store watched(Store real) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (_, method, arguments) -> {
                    if (method.getName().equals("snapshots")) {
                        readers.add(Thread.currentThread());
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private Worker worker(LocalBackend backend) {
        return Worker.start(new Worker.Setup(
                backend, registry, options.codec(), environment, limits, 10, Surroundings.NONE, _ -> new Follower() {
                    @Override
                    public void ended(RunStatus status, @Nullable Json output, @Nullable Failure error) {
                        ended.countDown();
                    }

                    @Override
                    public void left() {
                        // The test does not wait for that.
                    }
                }));
    }

    private static void reserve(Worker worker) {
        long began = System.nanoTime();
        while (!worker.reserve()) {
            assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(60));
            Thread.onSpinWait();
        }
    }

    /** Virtual threads get no carrier while steps compute on all of them, and would keep a connection of the store meanwhile. */
    @Test
    void given_aRunThatIsYetToBeRead_readsItOnAThreadOfTheOperatingSystem() throws InterruptedException {
        registry.add(ECHO);
        try (Store store = watched(new MemoryStore(environment.clock(), limits));
                Ledger ledger = Ledger.open(store, environment, limits)) {
            Workflows.Setup setup = new Workflows.Setup(
                    store,
                    ledger,
                    environment,
                    options.tenant(),
                    options.codec(),
                    limits,
                    new Telemetry(options.watchers()));
            try (Workflows workflows = new Workflows(setup)) {
                workflows.start(ECHO, "input", StartOptions.defaults());
                Lease lease = new Lease(environment.ids().token(), limits.runs().lease(), Lease.Holder.THIS_PROCESS);
                ClaimedRun run = store.claim(new ClaimRuns(options.tenant(), registry.served(), 1, lease))
                        .runs()
                        .getFirst();
                LocalBackend backend = new LocalBackend(setup, registry.served());
                try (Worker worker = worker(backend)) {
                    reserve(worker);

                    new Passing(backend, worker, new SignalledReads(environment))
                            .given(new WokenRun(run, null), environment.nanoTime());

                    assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
                }
            }
        }
        assertThat(readers).hasSize(1).noneMatch(Thread::isVirtual);
    }
}
