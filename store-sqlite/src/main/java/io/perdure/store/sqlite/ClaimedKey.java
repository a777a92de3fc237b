package io.perdure.store.sqlite;

import io.perdure.core.store.NewMessage;
import io.perdure.core.store.RunCommit.Signal;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowId;
import io.perdure.sdk.id.WorkflowName;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A key that can belong to one run or message at a time. */
record ClaimedKey(TenantId tenant, Scope scope, String within, String value) {
    /** What a key is for. */
    enum Scope {
        /** Within a workflow, for as long as the run is retained. */
        IDEMPOTENCY("idempotency"),
        /** Within a workflow, while the run is active. */
        WORKFLOW_ID("workflow id"),
        /** Within a queue, for the deduplication window. */
        MESSAGE("message"),
        /** Within a run, for as long as the run is retained. */
        SIGNAL("signal");

        private final String word;

        Scope(String word) {
            this.word = word;
        }

        /** How the database spells it. */
        String word() {
            return word;
        }
    }

    static Optional<ClaimedKey> idempotency(TenantId tenant, WorkflowName workflow, @Nullable IdempotencyKey key) {
        return Optional.ofNullable(key)
                .map(bound -> new ClaimedKey(tenant, Scope.IDEMPOTENCY, workflow.value(), bound.value()));
    }

    static Optional<ClaimedKey> workflowId(TenantId tenant, WorkflowName workflow, @Nullable WorkflowId id) {
        return Optional.ofNullable(id)
                .map(held -> new ClaimedKey(tenant, Scope.WORKFLOW_ID, workflow.value(), held.value()));
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
