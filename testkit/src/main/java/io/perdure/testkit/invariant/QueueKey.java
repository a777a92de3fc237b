package io.perdure.testkit.invariant;

import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;

/** Names a queue across tenants. */
record QueueKey(TenantId tenant, QueueName queue) {
    @Override
    public String toString() {
        return "queue " + tenant + "/" + queue;
    }
}
