package io.perdure.testkit.invariant;

import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunSnapshot;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowId;
import io.perdure.sdk.id.WorkflowName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Invariant 5, its first half. While a run of a workflow id goes on or is parked, no other one begins or is redriven. */
final class OneActiveRun extends Rule {
    OneActiveRun() {
        super(5, "At most one active run per (tenant, workflow, workflow id).");
    }

    private record Id(TenantId tenant, WorkflowName workflow, WorkflowId id) {}

    @Override
    void look(Trace trace, Findings findings) {
        Map<Id, List<RunStory>> named = new HashMap<>();
        for (RunStory story : trace.runs().values()) {
            story.startAsked().ifPresent(start -> {
                WorkflowId id = start.options().workflowId();
                if (id != null) {
                    named.computeIfAbsent(
                                    new Id(start.tenant(), start.definition().workflow(), id), _ -> new ArrayList<>())
                            .add(story);
                }
            });
        }
        named.forEach((id, stories) -> {
            atTheEnd(trace, id, stories, findings);
            for (RunStory story : stories) {
                for (Noted<Fact.Answered> beginning : beginnings(story)) {
                    stories.stream()
                            .filter(other -> other != story)
                            .filter(other -> wasActiveAllAlong(
                                    other, trace.firstAsked(beginning.fact().ref()), beginning.position()))
                            .forEach(other -> findings.add(
                                    story.key,
                                    beginning.position(),
                                    "it began while %s held workflow id \"%s\"".formatted(other.key, id.id())));
                }
            }
        });
    }

    private static void atTheEnd(Trace trace, Id id, List<RunStory> stories, Findings findings) {
        List<RunKey> active = stories.stream()
                .filter(story -> story.atTheEnd()
                        .filter(snapshot -> !snapshot.run().status().isTerminal())
                        .isPresent())
                .map(story -> story.key)
                .toList();
        if (active.size() > 1) {
            findings.add(
                    active, trace.lastLook().orElse(0), "all are active under workflow id \"%s\"".formatted(id.id()));
        }
    }

    /** The answers by which the run became active. */
    private static List<Noted<Fact.Answered>> beginnings(RunStory story) {
        List<Noted<Fact.Answered>> beginnings = new ArrayList<>();
        story.start().ifPresent(beginnings::add);
        story.appended().stream()
                .filter(noted -> noted.fact().commit() instanceof RunCommit.Intervene intervene
                        && intervene.events().getFirst().event() instanceof Event.RunRedriven)
                .forEach(beginnings::add);
        return beginnings;
    }

    /** Whether a sight before and a sight after show it active, with no end in between. */
    private static boolean wasActiveAllAlong(RunStory story, int from, int to) {
        int seen = 0;
        for (Noted<Fact.RunRead> read : story.reads) {
            RunSnapshot snapshot = read.fact().snapshot();
            boolean active = !snapshot.run().status().isTerminal();
            if (read.position() < from) {
                seen = active ? snapshot.history().size() : 0;
            } else if (read.since() > to) {
                return seen > 0 && seen <= snapshot.history().size() && noEnd(snapshot.history(), seen);
            }
        }
        return false;
    }

    private static boolean noEnd(List<Recorded> history, int from) {
        return history.stream()
                .skip(from)
                .map(Recorded::event)
                .noneMatch(event -> event instanceof Event.RunCompleted
                        || event instanceof Event.RunFailed
                        || event instanceof Event.RunCancelled);
    }
}
