package io.perdure.testkit.invariant;

import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.TenantId;

/** A message as a tenant names it. */
record MessageKey(TenantId tenant, MessageId message) {
    @Override
    public String toString() {
        return "message " + tenant + "/" + message;
    }
}
