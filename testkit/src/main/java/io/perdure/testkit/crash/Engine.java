package io.perdure.testkit.crash;

import io.perdure.core.store.Ledger;
import io.perdure.core.store.Store;
import io.perdure.core.workflow.Run;
import io.perdure.core.workflow.StartOptions;
import io.perdure.core.workflow.Workflows;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.workflow.Workflow;

/** An engine that works on runs, over a store of the test's choice. It does not close the store. */
public final class Engine implements AutoCloseable {
    private final Ledger ledger;
    private final Workflows workflows;

    private Engine(Ledger ledger, Workflows workflows) {
        this.ledger = ledger;
        this.workflows = workflows;
    }

    /** An engine that has the code of these. */
    public static Engine over(Store store, Workflow<?, ?>... served) {
        Environment environment = new SystemEnvironment();
        Limits limits = Limits.defaults();
        Ledger ledger = Ledger.open(store, environment, limits);
        Workflows workflows = new Workflows(new Workflows.Setup(
                store,
                ledger,
                environment,
                TenantId.DEFAULT,
                Codec.standard(),
                limits.workers().concurrency(),
                limits));
        for (Workflow<?, ?> workflow : served) {
            workflows.register(workflow);
        }
        workflows.work();
        return new Engine(ledger, workflows);
    }

    /** Starts a run. */
    public <I, O> Run<O> start(Workflow<I, O> workflow, I input, StartOptions options) {
        return workflows.start(workflow, input, options);
    }

    /** A run that somebody started. */
    public <O> Run<O> run(Workflow<?, O> workflow, RunId id) {
        return workflows.run(id, workflow.output());
    }

    @Override
    public void close() {
        try (ledger) {
            workflows.close();
        }
    }
}
