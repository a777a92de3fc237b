package io.perdure.sdk.worker;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.WorkflowCodeException;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.WorkflowDefinition;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The workflows that a process has code for, by name and version. */
public final class Registry {
    private final Map<WorkflowName, NavigableMap<Integer, WorkflowDefinition>> workflows = new ConcurrentHashMap<>();

    /** Adds a workflow; {@code PD-507} where this version of it is registered already, or a StepFlow has no step to begin with. */
    public synchronized void add(WorkflowDefinition workflow) {
        if (workflow instanceof StepFlow flow && flow.step(StepFlow.FIRST).isEmpty()) {
            throw new WorkflowCodeException(
                    ErrorCode.REGISTRATION,
                    "StepFlow %s has no step \"%s\" to begin with.".formatted(workflow, StepFlow.FIRST));
        }
        WorkflowDefinition other = workflows
                .computeIfAbsent(workflow.name(), _ -> new TreeMap<>())
                .putIfAbsent(workflow.version(), workflow);
        if (other != null) {
            throw new WorkflowCodeException(
                    ErrorCode.REGISTRATION, "Workflow %s is registered already.".formatted(workflow));
        }
    }

    /** The code of this version, if this process has it. */
    public Optional<WorkflowDefinition> find(WorkflowName name, int version) {
        NavigableMap<Integer, WorkflowDefinition> versions = workflows.get(name);
        @Nullable WorkflowDefinition found = versions == null ? null : versions.get(version);
        return Optional.ofNullable(found);
    }

    /** The code of this version; {@code PD-508} where this process does not have it. */
    public WorkflowDefinition require(WorkflowName name, int version) {
        return find(name, version)
                .orElseThrow(() -> new WorkflowCodeException(
                        ErrorCode.VERSION_MISMATCH,
                        "This process has no code for workflow %s@%s; it serves %s."
                                .formatted(name, version, versions(name))));
    }

    private String versions(WorkflowName name) {
        NavigableMap<Integer, WorkflowDefinition> versions = workflows.get(name);
        return versions == null
                ? "no version of it"
                : versions.values().stream().map(Object::toString).collect(Collectors.joining(", "));
    }

    public boolean isEmpty() {
        return workflows.isEmpty();
    }

    /** All of it, as a worker asks for runs. */
    public List<Claim.Served> served() {
        return workflows.entrySet().stream()
                .map(entry -> new Claim.Served(entry.getKey(), entry.getValue().keySet()))
                .sorted(Comparator.comparing(served -> served.workflow().value()))
                .toList();
    }
}
