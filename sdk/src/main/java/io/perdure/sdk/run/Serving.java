package io.perdure.sdk.run;

import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.worker.Claim;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the workers that are alive have code for, all of them together. */
public final class Serving {
    private final Map<String, NavigableSet<Integer>> versions = new TreeMap<>();

    /** What these serve. */
    public Serving(List<LiveWorker> workers) {
        workers.stream().flatMap(worker -> worker.served().stream()).forEach(this::add);
    }

    private void add(Claim.Served served) {
        versions.computeIfAbsent(served.workflow().value(), _ -> new TreeSet<>())
                .addAll(served.versions());
    }

    /** The newest version of a workflow that somebody serves. */
    public Optional<Integer> newest(WorkflowName workflow) {
        return Optional.ofNullable(versions.get(workflow.value())).map(NavigableSet::last);
    }

    /** Whether a run waits for a worker: it is running, and nobody who is alive has the code of its version. */
    public boolean isUnserved(RunInfo run) {
        NavigableSet<Integer> served = versions.get(run.workflow().value());
        Integer version = run.version();
        return run.status() == RunStatus.RUNNING && (served == null || (version != null && !served.contains(version)));
    }
}
