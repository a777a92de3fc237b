package io.perdure.testkit.invariant;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;

/** A run as a tenant names it. */
record RunKey(TenantId tenant, RunId run) {
    @Override
    public String toString() {
        return "run " + tenant + "/" + run;
    }
}
