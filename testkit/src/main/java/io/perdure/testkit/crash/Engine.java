package io.perdure.testkit.crash;

import io.perdure.core.store.Ledger;
import io.perdure.core.store.Store;
import io.perdure.core.telemetry.Telemetry;
import io.perdure.core.workflow.Workflows;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowDefinition;
import org.jspecify.annotations.Nullable;

/** An engine that works on runs, over a store of the test's choice. It does not close the store. */
public final class Engine implements AutoCloseable {
    private final Ledger ledger;
    private final Workflows workflows;

    private Engine(Ledger ledger, Workflows workflows) {
        this.ledger = ledger;
        this.workflows = workflows;
    }

    /** An engine that has the code of these, and works on them. */
    public static Engine over(Store store, WorkflowDefinition... served) {
        Engine engine = beside(store);
        for (WorkflowDefinition workflow : served) {
            engine.workflows.register(workflow);
        }
        engine.workflows.work();
        return engine;
    }

    /** An engine that does not work, of a process that only signals and cancels. */
    public static Engine beside(Store store) {
        Environment environment = new SystemEnvironment();
        Limits limits = Limits.defaults();
        Ledger ledger = Ledger.open(store, environment, limits);
        Workflows workflows = new Workflows(new Workflows.Setup(
                store, ledger, environment, TenantId.DEFAULT, Codec.standard(), limits, Telemetry.NONE));
        return new Engine(ledger, workflows);
    }

    /** Starts a run. */
    public <I, O> Run<O> start(Workflow<I, O> workflow, I input, StartOptions options) {
        return workflows.start(workflow, input, options);
    }

    /** Starts a run of a workflow that is written in whichever way. */
    public Run<Json> start(WorkflowDefinition workflow, Json input, StartOptions options) {
        return workflows.start(workflow.name(), null, input, options.version(workflow.version()), null);
    }

    /** A run that somebody started. */
    public <O> Run<O> run(Workflow<?, O> workflow, RunId id) {
        return workflows.run(id, workflow.output());
    }

    /** Sends a signal; false where one with this deduplication id came before. */
    public boolean signal(RunId run, String event, Object payload, @Nullable String deduplicationId) {
        return workflows.signal(
                run,
                new EventName(event),
                payload,
                deduplicationId == null ? null : new DeduplicationId(deduplicationId));
    }

    /** Cancels a run; false where it was cancelled before. */
    public boolean cancel(RunId run, String reason) {
        return workflows.cancel(run, reason);
    }

    /** How many runs it works on now. */
    public int working() {
        return workflows.working();
    }

    @Override
    public void close() {
        try (ledger) {
            workflows.close();
        }
    }
}
