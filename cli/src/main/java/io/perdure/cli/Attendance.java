package io.perdure.cli;

import io.perdure.sdk.Nearest;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.run.LiveWorker;
import io.perdure.sdk.run.RunInfo;
import io.perdure.sdk.run.Serving;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Who works on a store now, in words. */
record Attendance(List<LiveWorker> workers, Serving serving) {
    /** How many workflows with their versions a warning names at most. */
    private static final int MOST_SERVED = 10;

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

    /** Says that no live worker serves the run. */
    String unserved(RunInfo row) {
        return "No live worker serves " + RunText.workflow(row) + ".";
    }

    /** Says what is served instead, and which workflow may be meant. */
    String instead(RunInfo row) {
        SortedMap<String, SortedSet<Integer>> versions = new TreeMap<>();
        workers.stream()
                .flatMap(worker -> worker.served().stream())
                .forEach(served -> versions.computeIfAbsent(served.workflow().value(), _ -> new TreeSet<>())
                        .addAll(served.versions()));
        if (versions.isEmpty()) {
            return "No worker is alive.";
        }
        String asked = row.workflow().value();
        List<String> names = versions.containsKey(asked) ? List.of(asked) : List.copyOf(versions.keySet());
        List<String> served = names.stream()
                .flatMap(name -> versions.getOrDefault(name, Collections.emptySortedSet()).stream()
                        .map(version -> name + "@" + version))
                .toList();
        String more = served.size() > MOST_SERVED ? " and " + (served.size() - MOST_SERVED) + " more" : "";
        String meant = names.contains(asked)
                ? ""
                : Nearest.to(asked, names)
                        .map(near -> " Did you mean \"" + near + "\"?")
                        .orElse("");
        return "Served now: " + served.stream().limit(MOST_SERVED).collect(Collectors.joining(", ")) + more + "."
                + meant;
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
