package io.perdure.benchmarks;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.perdure.core.store.Effort;
import io.perdure.core.store.Ledger;
import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.core.telemetry.Telemetry;
import io.perdure.core.workflow.Workflows;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.RunCount;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

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
    private final Telemetry telemetry;
    private final Store store;
    private final Ledger ledger;
    private final Workflows workflows;

    private WorkflowEngine(String url, Limits limits, Telemetry telemetry) {
        this.telemetry = telemetry;
        environment = new SystemEnvironment();
        store = telemetry.over(Stores.open(url, environment, Limits.defaults()), environment, () -> Set.of(TENANT));
        ledger = Ledger.open(store, environment, limits);
        workflows = new Workflows(
                new Workflows.Setup(store, ledger, environment, TENANT, Codec.standard(), limits, telemetry));
    }

    /** With commits gathered as they are for everybody. */
    static WorkflowEngine open(String url, WorkflowDefinition... served) {
        return open(url, CONCURRENCY, served);
    }

    /** The same, with another number of runs that are worked on at once. */
    static WorkflowEngine open(String url, int concurrency, WorkflowDefinition... served) {
        return open(url, workingOn(concurrency), served);
    }

    /** The same, with ended runs removed so often once their time is over. */
    static WorkflowEngine open(String url, int concurrency, Duration retireEvery, WorkflowDefinition... served) {
        Limits usual = workingOn(concurrency);
        return open(url, usual.with(usual.upkeep().retireEvery(retireEvery)), served);
    }

    /** With every commit alone in its batch, which is one transaction. */
    static WorkflowEngine unbatched(String url, int lanes, WorkflowDefinition... served) {
        Limits.Ledger usual = Limits.defaults().ledger();
        Limits.Ledger alone = new Limits.Ledger(
                lanes, 1, usual.batchBytes(), usual.waitingCommits(), usual.waitingBytes(), usual.patience());
        return open(url, workingOn(CONCURRENCY).with(alone), served);
    }

    /** With all that becomes durable counted in a meter registry. */
    static WorkflowEngine watched(String url, int concurrency, WorkflowDefinition... served) {
        Telemetry counting = new Telemetry(new Telemetry.Watchers(new SimpleMeterRegistry(), null));
        return working(new WorkflowEngine(url, workingOn(concurrency), counting), served);
    }

    /** Works on nothing: runs that are started here stay as they are. */
    static WorkflowEngine idle(String url) {
        return new WorkflowEngine(url, Limits.defaults(), Telemetry.NONE);
    }

    private static Limits workingOn(int concurrency) {
        Limits usual = Limits.defaults();
        return usual.with(usual.workers().concurrency(concurrency));
    }

    private static WorkflowEngine open(String url, Limits limits, WorkflowDefinition... served) {
        return working(new WorkflowEngine(url, limits, Telemetry.NONE), served);
    }

    private static WorkflowEngine working(WorkflowEngine engine, WorkflowDefinition... served) {
        for (WorkflowDefinition one : served) {
            engine.workflows.register(one);
        }
        engine.workflows.work();
        return engine;
    }

    /** Starts a run; returns when it is durable. */
    <I, O> Run<O> start(Workflow<I, O> workflow, I input) {
        return workflows.start(workflow, input, StartOptions.defaults());
    }

    /** Starts a run of a StepFlow; returns when it is durable. */
    void start(StepFlow flow, Object input) {
        workflows.start(flow, input, StartOptions.defaults());
    }

    /** Sends a signal to a run; returns when it is durable. */
    void signal(Run<?> run, String event, Object payload) {
        workflows.signal(run.id(), new EventName(event), payload, null);
    }

    /** How many runs of a workflow have completed, by the store's own books; throws where one came to another end. */
    long completed(WorkflowName workflow) {
        long completed = 0;
        for (RunCount count : store.runCounts(TENANT)) {
            if (count.status() == RunStatus.COMPLETED && count.workflow().equals(workflow)) {
                completed += count.count();
            } else if (count.status() != RunStatus.RUNNING && count.status() != RunStatus.COMPLETED) {
                throw new IllegalStateException("Runs that should have completed did not: " + count + ".");
            }
        }
        return completed;
    }

    /** Waits until so many runs of a workflow have completed by the store's books. */
    void awaitCompleted(WorkflowName workflow, long expected) {
        long seen = -1;
        long since = environment.nanoTime();
        try {
            for (long now = completed(workflow); now != expected; now = completed(workflow)) {
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
                telemetry;
                ledger) {
            workflows.close();
        }
    }
}
