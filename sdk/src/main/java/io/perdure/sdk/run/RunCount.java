package io.perdure.sdk.run;

import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.WorkflowName;

/** How many runs of a workflow are in a status. */
public record RunCount(WorkflowName workflow, RunStatus status, long count) {}
