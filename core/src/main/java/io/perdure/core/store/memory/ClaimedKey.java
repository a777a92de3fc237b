package io.perdure.core.store.memory;

import io.perdure.core.store.NewMessage;
import io.perdure.core.store.RunCommit.Signal;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.sdk.id.TenantId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A key that can belong to one run or message at a time. */
record ClaimedKey(TenantId tenant, Scope scope, String within, String value) {
    /** What a key is for. */
    enum Scope {
        /** Within a workflow, for as long as the run is retained. */
        IDEMPOTENCY,
        /** Within a workflow, while the run is active. */
        WORKFLOW_ID,
        /** Within a queue, for the deduplication window. */
        MESSAGE,
        /** Within a run, for as long as the run is retained. */
        SIGNAL
    }

    static Optional<ClaimedKey> idempotency(Start start) {
        return Optional.ofNullable(start.options().idempotencyKey())
                .map(key -> new ClaimedKey(
                        start.tenant(),
                        Scope.IDEMPOTENCY,
                        start.definition().workflow().value(),
                        key.value()));
    }

    static Optional<ClaimedKey> workflowId(RunState run) {
        return workflowId(run.tenant, run.definition.workflow().value(), run.options.workflowId());
    }

    static Optional<ClaimedKey> workflowId(Start start) {
        return workflowId(
                start.tenant(),
                start.definition().workflow().value(),
                start.options().workflowId());
    }

    private static Optional<ClaimedKey> workflowId(TenantId tenant, String workflow, @Nullable Object id) {
        return Optional.ofNullable(id)
                .map(value -> new ClaimedKey(tenant, Scope.WORKFLOW_ID, workflow, value.toString()));
    }

    static Optional<ClaimedKey> message(TenantId tenant, NewMessage message) {
        return Optional.ofNullable(message.deduplicationId())
                .map(id -> new ClaimedKey(tenant, Scope.MESSAGE, message.queue().value(), id.value()));
    }

    static Optional<ClaimedKey> signal(Signal signal) {
        return Optional.ofNullable(signal.deduplicationId())
                .map(id -> new ClaimedKey(
                        signal.tenant(), Scope.SIGNAL, signal.run().toString(), id.value()));
    }
}
