package io.perdure.testkit.contract;

import io.perdure.core.store.Lease;
import io.perdure.core.store.RunCommit.Definition;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.core.store.RunCommit.StartOptions;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A start in the making: version 1 of the usual workflow, due at once, kept for a day, unless a test says otherwise. */
final class NewRun {
    static final int RETENTION_DAYS = 1;

    private final TenantId tenant;
    private final RunId id;
    private WorkflowName workflow = StoreFixture.WORKFLOW;
    private @Nullable Integer version = 1;
    private Json input = Json.of("{\"user\":42}");
    private Due ready = Due.atOnce();
    private Due deadline = Due.never();
    private @Nullable Lease lease;
    private @Nullable IdempotencyKey key;
    private @Nullable WorkflowId workflowId;
    private @Nullable RunId parent;
    private final Map<String, String> tags = new TreeMap<>();

    NewRun(TenantId tenant, RunId id) {
        this.tenant = tenant;
        this.id = id;
    }

    NewRun workflow(WorkflowName name) {
        workflow = name;
        return this;
    }

    NewRun version(@Nullable Integer number) {
        version = number;
        return this;
    }

    NewRun input(String json) {
        input = Json.of(json);
        return this;
    }

    NewRun ready(Due due) {
        ready = due;
        return this;
    }

    NewRun deadline(Due due) {
        deadline = due;
        return this;
    }

    NewRun leased(Lease to) {
        lease = to;
        return this;
    }

    NewRun key(String value) {
        key = new IdempotencyKey(value);
        return this;
    }

    NewRun workflowId(String value) {
        workflowId = new WorkflowId(value);
        return this;
    }

    NewRun parent(RunId run) {
        parent = run;
        return this;
    }

    NewRun tag(String name, String value) {
        tags.put(name, value);
        return this;
    }

    Start start() {
        return new Start(
                tenant,
                id,
                new Definition(workflow, version, RunKind.CODE, input, Map.of()),
                ready,
                lease,
                new StartOptions(key, workflowId, deadline, tags, RETENTION_DAYS, parent));
    }
}
