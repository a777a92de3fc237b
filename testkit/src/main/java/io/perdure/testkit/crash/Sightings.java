package io.perdure.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.workflow.WorkflowContext;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/** What the steps of runs in this process did outside, in the order they did it. Safe for many threads. */
public final class Sightings {
    private final ConcurrentLinkedQueue<Sighting> all = new ConcurrentLinkedQueue<>();

    /** An attempt of a step. */
    public record Sighting(RunId run, String step) {}

    /** Nothing seen yet. */
    public Sightings() {}

    /** The step that is under way does what it does. */
    public void see(WorkflowContext ctx) {
        all.add(new Sighting(ctx.runId(), ctx.attempt().step().value()));
    }

    /** How many there were. */
    public int count() {
        return all.size();
    }

    /** Those of one run. */
    public List<String> of(RunId run) {
        return all.stream()
                .filter(sighting -> sighting.run().equals(run))
                .map(Sighting::step)
                .toList();
    }

    /** What was seen more than once, and how often. */
    public Map<String, Long> repeated() {
        return all.stream()
                .collect(Collectors.groupingBy(
                        sighting -> sighting.run() + " " + sighting.step(), TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .filter(entry -> entry.getValue() > 1)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Requires of every run that its steps came in this order, none again once a later one had been there. */
    public void comeInOrder(List<String> steps) {
        all.stream()
                .collect(Collectors.groupingBy(Sighting::run))
                .forEach((run, seen) -> assertThat(seen.stream()
                                .map(Sighting::step)
                                .map(steps::indexOf)
                                .toList())
                        .as("the steps of run %s", run)
                        .isSorted());
    }
}
