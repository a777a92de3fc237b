package io.perdure.testkit.invariant;

import io.perdure.core.store.Extended;
import io.perdure.core.store.Outcome;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;

/**
 * Invariant 18. A worker that was told of a cancel begins no step of that run; and whoever asks the store about the run after the
 * cancel was acknowledged is told of it.
 */
final class NoStepAfterCancel extends Rule {
    NoStepAfterCancel() {
        super(18, "After a cancel was observed no further step starts.");
    }

    /** A call about the run: when it began, who made it, and whether its answer told of the cancel. */
    private record Call(int since, int position, String by, boolean told) {}

    @Override
    void look(Trace trace, Findings findings) {
        for (RunStory story : trace.runs().values()) {
            if (story.steps.isEmpty()) {
                continue;
            }
            List<Call> calls = calls(trace, story);
            OptionalInt cancelled = acknowledged(story);
            for (Noted<Fact.StepRan> ran : story.steps) {
                calls.stream()
                        .filter(call -> call.by().equals(ran.by()) && call.position() < ran.position())
                        .filter(call -> call.told() || (cancelled.isPresent() && call.since() > cancelled.getAsInt()))
                        .findFirst()
                        .ifPresent(call -> findings.add(
                                story.key,
                                ran.position(),
                                "step %s began after the cancel was there to be seen at %d"
                                        .formatted(ran.fact().step(), call.position())));
            }
        }
    }

    private static OptionalInt acknowledged(RunStory story) {
        return story.appended().stream()
                .filter(noted -> ((Outcome.Appended) noted.fact().outcome())
                        .events().stream().map(Recorded::event).anyMatch(Event.RunCancelled.class::isInstance))
                .mapToInt(Noted::position)
                .min();
    }

    private static List<Call> calls(Trace trace, RunStory story) {
        List<Call> calls = new ArrayList<>();
        story.claims.forEach(noted -> calls.add(new Call(noted.since(), noted.position(), noted.by(), false)));
        story.reads.forEach(noted -> calls.add(new Call(
                noted.since(),
                noted.position(),
                noted.by(),
                noted.fact().snapshot().run().status() == RunStatus.CANCELLED)));
        story.extensions.forEach(noted -> calls.add(new Call(
                noted.since(), noted.position(), noted.by(), told(noted.fact().answer()))));
        story.answered.forEach(noted -> calls.add(new Call(
                trace.firstAsked(noted.fact().ref()),
                noted.position(),
                noted.by(),
                told(noted.fact().outcome()))));
        calls.sort(Comparator.comparingInt(Call::position));
        return calls;
    }

    private static boolean told(Extended answer) {
        return answer instanceof Extended.Lost lost && lost.status() == RunStatus.CANCELLED;
    }

    private static boolean told(Outcome outcome) {
        return switch (outcome) {
            case Outcome.LeaseLost lost -> lost.status() == RunStatus.CANCELLED;
            case Outcome.Appended appended -> appended.status() == RunStatus.CANCELLED;
            case Outcome.Started _, Outcome.Signalled _, Outcome.Sent _, Outcome.Settled _, Outcome.Changed _ -> false;
            case Outcome.Conflict _, Outcome.Duplicate _, Outcome.Woken _, Outcome.Refused _ -> false;
        };
    }
}
