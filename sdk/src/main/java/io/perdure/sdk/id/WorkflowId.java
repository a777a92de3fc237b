package io.perdure.sdk.id;

/** The caller's own name for what a run is about: at most one active run per tenant, workflow and id. */
public record WorkflowId(String value) {
    public WorkflowId {
        Names.key("workflow id", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
