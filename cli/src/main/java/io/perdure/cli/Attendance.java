package io.perdure.cli;

import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.run.LiveWorker;
import io.perdure.sdk.run.RunInfo;
import io.perdure.sdk.run.Serving;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Who works on a store now, in words. */
record Attendance(List<LiveWorker> workers, Serving serving) {
    Attendance(List<LiveWorker> workers) {
        this(List.copyOf(workers), new Serving(workers));
    }

    /** Whether the run waits for a worker that is not there. */
    boolean isMissedBy(RunInfo row) {
        return serving.isUnserved(row);
    }

    /** Its status, and whether it waits for a worker. */
    String status(RunInfo row) {
        return row.status().word() + (isMissedBy(row) ? ", no worker" : "");
    }

    /** What such a run waits for, and what there is instead. */
    String missedBy(RunInfo row) {
        return "waiting for a worker: nobody who is alive serves %s; served: %s"
                .formatted(RunText.workflow(row), served(row.workflow()));
    }

    private String served(WorkflowName workflow) {
        String versions = workers.stream()
                .flatMap(worker -> worker.served().stream())
                .filter(served -> served.workflow().equals(workflow))
                .flatMap(served -> served.versions().stream())
                .collect(Collectors.toCollection(TreeSet::new))
                .stream()
                .map(version -> workflow + "@" + version)
                .collect(Collectors.joining(", "));
        return versions.isEmpty() ? "no version of it" : versions;
    }

    /** The version to move a run to that the living can work on; a word in its place where there is none. */
    String otherVersion(RunInfo row) {
        return serving.newest(row.workflow())
                .filter(newest -> !newest.equals(row.version()))
                .map(String::valueOf)
                .orElse("VERSION");
    }
}
