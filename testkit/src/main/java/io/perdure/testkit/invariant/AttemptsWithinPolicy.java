package io.perdure.testkit.invariant;

import io.perdure.core.store.Outcome;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.StepName;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Invariant 9. Attempts of a step count up from 1 after every redrive, stop where its policy stops, and none that failed runs again. */
final class AttemptsWithinPolicy extends Rule {
    AttemptsWithinPolicy() {
        super(9, "Attempts never exceed the policy, each identified by (run, step, redrive, attempt).");
    }

    private record Attempt(StepName step, int redrive, int attempt) {}

    private record Series(StepName step, int redrive) {}

    @Override
    void look(Trace trace, Findings findings) {
        for (RunStory story : trace.runs().values()) {
            Map<StepName, Integer> allowed = new HashMap<>();
            story.steps.forEach(ran -> allowed.put(ran.fact().step(), ran.fact().allowed()));
            Map<Attempt, Integer> failed = new HashMap<>();
            recorded(story, allowed, failed, findings);
            ran(story, failed, findings);
        }
    }

    private static void recorded(
            RunStory story, Map<StepName, Integer> allowed, Map<Attempt, Integer> failed, Findings findings) {
        Map<Long, Integer> acknowledged = new HashMap<>();
        story.appended()
                .forEach(noted -> ((Outcome.Appended) noted.fact().outcome())
                        .events()
                        .forEach(recorded -> acknowledged.putIfAbsent(recorded.seq(), noted.position())));
        Map<Series, Integer> failures = new HashMap<>();
        int redrive = 0;
        for (Recorded recorded : story.history()) {
            redrive += recorded.event() instanceof Event.RunRedriven ? 1 : 0;
            StepName step = step(recorded.event());
            if (step == null) {
                continue;
            }
            int attempt = attempt(recorded.event());
            Series series = new Series(step, redrive);
            int expected = failures.getOrDefault(series, 0) + 1;
            if (attempt != expected || attempt > allowed.getOrDefault(step, Integer.MAX_VALUE)) {
                findings.add(
                        story.key,
                        acknowledged.getOrDefault(recorded.seq(), 0),
                        "%s is attempt %d of redrive %d, where %d of %s is next"
                                .formatted(recorded.event(), attempt, redrive, expected, allowed.get(step)));
            }
            if (recorded.event() instanceof Event.StepFailed) {
                failures.put(series, attempt);
                Integer position = acknowledged.get(recorded.seq());
                if (position != null) {
                    failed.put(new Attempt(step, redrive, attempt), position);
                }
            }
        }
    }

    private static void ran(RunStory story, Map<Attempt, Integer> failed, Findings findings) {
        for (Noted<Fact.StepRan> noted : story.steps) {
            Fact.StepRan ran = noted.fact();
            if (ran.attempt() < 1 || ran.attempt() > ran.allowed()) {
                findings.add(
                        story.key,
                        noted.position(),
                        "step %s began attempt %d of %d".formatted(ran.step(), ran.attempt(), ran.allowed()));
            }
            Integer position = failed.get(new Attempt(ran.step(), ran.redrive(), ran.attempt()));
            if (position != null && noted.since() > position) {
                findings.add(
                        story.key,
                        noted.position(),
                        "attempt %d of step %s began again after its failure was acknowledged at %d"
                                .formatted(ran.attempt(), ran.step(), position));
            }
        }
    }

    private static @Nullable StepName step(Event event) {
        return switch (event) {
            case Event.StepCompleted completed -> completed.step();
            case Event.StepFailed failed -> failed.step();
            case Event _ -> null;
        };
    }

    private static int attempt(Event event) {
        return switch (event) {
            case Event.StepCompleted completed -> completed.attempt();
            case Event.StepFailed failed -> failed.attempt();
            case Event _ -> 0;
        };
    }
}
