package io.perdure.sdk.worker;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.WorkflowCodeException;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.workflow.Workflow;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The workflows that a process has code for, by name and version. */
public final class Registry {
    private final Map<WorkflowName, NavigableMap<Integer, Workflow<?, ?>>> workflows = new ConcurrentHashMap<>();

    /** Adds a workflow; {@code PD-507} where this version of it is registered already. */
    public synchronized void add(Workflow<?, ?> workflow) {
        Workflow<?, ?> other = workflows
                .computeIfAbsent(workflow.name(), _ -> new TreeMap<>())
                .putIfAbsent(workflow.version(), workflow);
        if (other != null) {
            throw new WorkflowCodeException(
                    ErrorCode.REGISTRATION, "Workflow %s is registered already.".formatted(workflow));
        }
    }

    /** The code of this version, if this process has it. */
    public Optional<Workflow<?, ?>> find(WorkflowName name, int version) {
        NavigableMap<Integer, Workflow<?, ?>> versions = workflows.get(name);
        @Nullable Workflow<?, ?> found = versions == null ? null : versions.get(version);
        return Optional.ofNullable(found);
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
