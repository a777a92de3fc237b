package io.perdure.sdk.workflow;

import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.id.WorkflowName;

/** What a process can have code for: a workflow written as straight code, or one written as named steps. */
public sealed interface WorkflowDefinition permits Workflow, StepFlow {
    WorkflowName name();

    /** 1 or more. A run stays with the version it was started with. */
    int version();

    /** How many days a run is kept once it has ended. */
    int retentionDays();

    /** How it is written. */
    RunKind kind();
}
