package io.perdure.core.store;

import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;

/** Says that it may be worth looking. */
public sealed interface Hint {
    /** A message or run of this queue became ready, or one came that will. */
    record Ready(TenantId tenant, QueueName queue) implements Hint {}

    /** A run ended or was parked: no worker has it any more. */
    record Ended(TenantId tenant, RunId run) implements Hint {}

    /** Somebody else changed something, and the store cannot tell what: it may be worth looking at everything. */
    record Anything() implements Hint {}
}
