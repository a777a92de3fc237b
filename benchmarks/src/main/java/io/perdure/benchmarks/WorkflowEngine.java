package io.perdure.benchmarks;

import io.perdure.core.store.Effort;
import io.perdure.core.store.Ledger;
import io.perdure.core.store.RunCount;
import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.core.workflow.Run;
import io.perdure.core.workflow.StartOptions;
import io.perdure.core.workflow.Workflows;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;

/** The engine as {@code Perdure.open} puts it together and starts it, with a look at what the store does. */
final class WorkflowEngine implements AutoCloseable {
    /** Runs that are worked on at once: what holds for everybody who says nothing else. */
    private static final int CONCURRENCY = Limits.defaults().workers().concurrency();

    private static final TenantId TENANT = new TenantId("bench");

    /** Between two looks at the store's books, which are a row or two. */
    private static final Duration LOOK_EVERY = Duration.ofMillis(5);

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** By which clocks are compared: the question that was answered soonest tells most. */
    private static final int CLOCK_LOOKS = 5;

    private final Environment environment;
    private final Store store;
    private final Ledger ledger;
    private final Workflows workflows;

    private WorkflowEngine(String url, Limits.Ledger gathering, int concurrency) {
        environment = new SystemEnvironment();
        store = Stores.open(url, environment, Limits.defaults());
        ledger = Ledger.open(store, environment, Limits.defaults().with(gathering));
        Limits limits = Limits.defaults();
        workflows = new Workflows(new Workflows.Setup(
                store,
                ledger,
                environment,
                TENANT,
                Codec.standard(),
                limits.with(limits.workers().concurrency(concurrency))));
    }

    /** With commits gathered as they are for everybody. */
    static WorkflowEngine open(String url, Workflow<?, ?> served) {
        return open(url, CONCURRENCY, served);
    }

    /** The same, with another number of runs that are worked on at once. */
    static WorkflowEngine open(String url, int concurrency, Workflow<?, ?> served) {
        return open(url, Limits.defaults().ledger(), concurrency, served);
    }

    /** With every commit alone in its batch, which is one transaction. */
    static WorkflowEngine unbatched(String url, int lanes, Workflow<?, ?> served) {
        Limits.Ledger usual = Limits.defaults().ledger();
        return open(
                url,
                new Limits.Ledger(
                        lanes, 1, usual.batchBytes(), usual.waitingCommits(), usual.waitingBytes(), usual.patience()),
                CONCURRENCY,
                served);
    }

    private static WorkflowEngine open(String url, Limits.Ledger gathering, int concurrency, Workflow<?, ?> served) {
        WorkflowEngine engine = new WorkflowEngine(url, gathering, concurrency);
        engine.workflows.register(served);
        engine.workflows.work();
        return engine;
    }

    /** Starts a run; returns when it is durable. */
    <I, O> Run<O> start(Workflow<I, O> workflow, I input) {
        return workflows.start(workflow, input, StartOptions.defaults());
    }

    /** Sends a signal to a run; returns when it is durable. */
    void signal(Run<?> run, String event, Object payload) {
        workflows.signal(run.id(), new EventName(event), payload, null);
    }

    /** How many runs have completed, by the store's own books; throws where one came to another end. */
    long completed() {
        long completed = 0;
        for (RunCount count : store.runCounts(TENANT)) {
            if (count.status() == RunStatus.COMPLETED) {
                completed += count.count();
            } else if (count.status() != RunStatus.RUNNING) {
                throw new IllegalStateException("Runs that should have completed did not: " + count + ".");
            }
        }
        return completed;
    }

    /** Waits until so many runs have completed by the store's books. */
    void awaitCompleted(long expected) {
        long seen = -1;
        long since = environment.nanoTime();
        try {
            for (long now = completed(); now != expected; now = completed()) {
                if (now != seen) {
                    seen = now;
                    since = environment.nanoTime();
                } else if (environment.nanoTime() - since > PATIENCE.toNanos()) {
                    throw new IllegalStateException(
                            "Of " + expected + " runs " + now + " have completed, and none more for " + PATIENCE + ".");
                }
                environment.sleep(LOOK_EVERY);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The benchmark was interrupted.", e);
        }
    }

    /** How many runs are worked on now; one that sleeps is not. */
    int working() {
        return workflows.working();
    }

    /** How far the store's clock is ahead of ours. */
    Duration clockAhead() {
        Duration ahead = Duration.ZERO;
        long shortest = Long.MAX_VALUE;
        for (int look = 0; look < CLOCK_LOOKS; look++) {
            long before = environment.nanoTime();
            Instant theirs = store.now();
            long taken = environment.nanoTime() - before;
            Instant ours = environment.clock().instant().minusNanos(taken / 2);
            if (taken < shortest) {
                shortest = taken;
                ahead = Duration.between(ours, theirs);
            }
        }
        return ahead;
    }

    Environment environment() {
        return environment;
    }

    Effort effort() {
        return store.effort();
    }

    @Override
    public void close() {
        try (store;
                ledger) {
            workflows.close();
        }
    }
}
