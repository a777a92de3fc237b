package io.perdure.testkit.invariant;

import io.perdure.core.store.Outcome;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.StepName;
import java.util.HashMap;
import java.util.Map;

/** Invariant 8. After the answer that a step's completion is recorded, its body does not begin again; nor is it recorded twice. */
final class CompletedStepNeverReruns extends Rule {
    CompletedStepNeverReruns() {
        super(8, "A step whose completion was acknowledged never runs again.");
    }

    @Override
    void look(Trace trace, Findings findings) {
        for (RunStory story : trace.runs().values()) {
            Map<StepName, Integer> acknowledged = new HashMap<>();
            for (Noted<Fact.Answered> noted : story.appended()) {
                for (Recorded recorded : ((Outcome.Appended) noted.fact().outcome()).events()) {
                    if (recorded.event() instanceof Event.StepCompleted completed) {
                        acknowledged.putIfAbsent(completed.step(), noted.position());
                    }
                }
            }
            for (Noted<Fact.StepRan> ran : story.steps) {
                Integer completed = acknowledged.get(ran.fact().step());
                if (completed != null && ran.since() > completed) {
                    findings.add(
                            story.key,
                            ran.position(),
                            "step %s began, and its completion was acknowledged at %d"
                                    .formatted(ran.fact().step(), completed));
                }
            }
            recordedOnce(story, findings);
        }
    }

    private static void recordedOnce(RunStory story, Findings findings) {
        Map<StepName, Long> completed = new HashMap<>();
        for (RunStory.Sighting sighting : story.events.values()) {
            if (sighting.recorded().event() instanceof Event.StepCompleted step) {
                Long before =
                        completed.putIfAbsent(step.step(), sighting.recorded().seq());
                if (before != null) {
                    findings.add(
                            story.key,
                            sighting.position(),
                            "step %s completed as event %d, and again as event %d"
                                    .formatted(
                                            step.step(),
                                            before,
                                            sighting.recorded().seq()));
                }
            }
        }
    }
}
