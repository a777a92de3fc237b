package io.perdure.testkit.invariant;

import io.perdure.core.store.Outcome;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.StepName;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Invariant 16. The store fixes no time earlier than it was asked to; what follows a sleep, a wait's end or a retry comes when its
 * time has been reached by the store's clock; and a sleep or a wait's end is recorded once. The clock may go back after a timer
 * fired, so the latest time seen so far is what counts.
 */
final class TimersNeverEarly extends Rule {
    TimersNeverEarly() {
        super(
                16,
                "Timers never fire early by the store's clock, are recorded once, and survive clock jumps of an hour.");
    }

    @Override
    void look(Trace trace, Findings findings) {
        for (RunStory story : trace.runs().values()) {
            story.appended().forEach(noted -> fixedAsAsked(trace, story, noted, findings));
            fired(trace, story, findings);
            retried(trace, story, findings);
            once(story, findings);
        }
    }

    private static void fixedAsAsked(Trace trace, RunStory story, Noted<Fact.Answered> noted, Findings findings) {
        List<Draft> drafts = Commits.drafts(noted.fact().commit());
        List<Recorded> events = ((Outcome.Appended) noted.fact().outcome()).events();
        if (events.isEmpty()) {
            return;
        }
        Instant from = countedFrom(trace, story, noted, events.getFirst());
        for (int index = 0; index < Math.min(drafts.size(), events.size()); index++) {
            Due asked = drafts.get(index).until();
            Recorded recorded = events.get(index);
            Instant until = recorded.until();
            if (asked == null || asked instanceof Due.Never) {
                continue;
            }
            if (until == null || until.isBefore(asked.fixedAt(from))) {
                findings.add(
                        story.key,
                        noted.position(),
                        "%s was to last until %s, and was fixed at %s"
                                .formatted(recorded.event(), asked.fixedAt(from), until));
            }
        }
    }

    /**
     * What the store's clock read, as late as it can have been. That is the time of the event, unless the clock went back and the
     * event before it is as late: then the clock was seen from when the commit was first sent.
     */
    private static Instant countedFrom(Trace trace, RunStory story, Noted<Fact.Answered> noted, Recorded first) {
        RunStory.Sighting before = story.events.get(first.seq() - 1);
        boolean held = before == null || !before.recorded().at().isBefore(first.at());
        if (!held || !trace.wentBack(0, noted.position())) {
            return first.at();
        }
        Instant earliest = trace.earliest(trace.firstAsked(noted.fact().ref()), noted.position());
        return earliest.isBefore(first.at()) ? earliest : first.at();
    }

    private static void fired(Trace trace, RunStory story, Findings findings) {
        Recorded pending = null;
        for (RunStory.Sighting sighting : story.events.values()) {
            Event event = sighting.recorded().event();
            if (isFromOutside(event)) {
                continue;
            }
            Instant until = pending == null ? null : pending.until();
            if (pending != null && until != null && ends(pending.event(), event)) {
                Instant latest = trace.latestUpTo(sighting.position()).plus(trace.skew());
                if (latest.isBefore(until)) {
                    findings.add(
                            story.key,
                            sighting.position(),
                            "%s came by %s, and %s lasts until %s".formatted(event, latest, pending.event(), until));
                }
            }
            pending = sighting.recorded();
        }
    }

    private static boolean isFromOutside(Event event) {
        return event instanceof Event.RunParked
                || event instanceof Event.RunResumed
                || event instanceof Event.RunRedriven
                || event instanceof Event.RunCancelled;
    }

    private static boolean ends(Event timer, Event event) {
        return switch (timer) {
            case Event.SleepStarted _ -> true;
            case Event.WaitStarted wait ->
                event instanceof Event.WaitTimedOut(StepName name) && name.equals(wait.name());
            case Event.StepFailed failed -> failed.step().equals(stepOf(event));
            case Event.RunCreated _,
                    Event.StepStarted _,
                    Event.StepCompleted _,
                    Event.EventReceived _,
                    Event.WaitTimedOut _,
                    Event.ChildStarted _,
                    Event.ChildEnded _,
                    Event.RunParked _,
                    Event.RunResumed _,
                    Event.RunRedriven _,
                    Event.RunCompleted _,
                    Event.RunFailed _,
                    Event.RunCancelled _ -> false;
        };
    }

    private static @Nullable StepName stepOf(Event event) {
        return switch (event) {
            case Event.StepStarted started -> started.step();
            case Event.StepCompleted completed -> completed.step();
            case Event.StepFailed failed -> failed.step();
            case Event.RunCreated _,
                    Event.SleepStarted _,
                    Event.WaitStarted _,
                    Event.EventReceived _,
                    Event.WaitTimedOut _,
                    Event.ChildStarted _,
                    Event.ChildEnded _,
                    Event.RunParked _,
                    Event.RunResumed _,
                    Event.RunRedriven _,
                    Event.RunCompleted _,
                    Event.RunFailed _,
                    Event.RunCancelled _ -> null;
        };
    }

    private record Retry(StepName step, int redrive, int attempt) {}

    /** The body of the next attempt must not begin early either. */
    private static void retried(Trace trace, RunStory story, Findings findings) {
        Map<Retry, Instant> due = new HashMap<>();
        int redrive = 0;
        for (Recorded recorded : story.history()) {
            redrive += recorded.event() instanceof Event.RunRedriven ? 1 : 0;
            if (recorded.event() instanceof Event.StepFailed failed && recorded.until() != null) {
                due.put(new Retry(failed.step(), redrive, failed.attempt() + 1), recorded.until());
            }
        }
        for (Noted<Fact.StepRan> ran : story.steps) {
            Instant until = due.get(new Retry(
                    ran.fact().step(), ran.fact().redrive(), ran.fact().attempt()));
            if (until != null
                    && trace.latestUpTo(ran.position()).plus(trace.skew()).isBefore(until)) {
                findings.add(
                        story.key,
                        ran.position(),
                        "attempt %d of step %s began, and was due at %s"
                                .formatted(ran.fact().attempt(), ran.fact().step(), until));
            }
        }
    }

    private static void once(RunStory story, Findings findings) {
        Set<StepName> sleeps = new HashSet<>();
        Set<StepName> waits = new HashSet<>();
        for (RunStory.Sighting sighting : story.events.values()) {
            boolean repeated = switch (sighting.recorded().event()) {
                case Event.SleepStarted(StepName name) -> !sleeps.add(name);
                case Event.WaitTimedOut(StepName name) -> !waits.add(name);
                case Event.EventReceived received -> !waits.add(received.name());
                case Event.RunCreated _,
                        Event.StepStarted _,
                        Event.StepCompleted _,
                        Event.StepFailed _,
                        Event.WaitStarted _,
                        Event.ChildStarted _,
                        Event.ChildEnded _,
                        Event.RunParked _,
                        Event.RunResumed _,
                        Event.RunRedriven _,
                        Event.RunCompleted _,
                        Event.RunFailed _,
                        Event.RunCancelled _ -> false;
            };
            if (repeated) {
                findings.add(
                        story.key,
                        sighting.position(),
                        "%s is recorded a second time"
                                .formatted(sighting.recorded().event()));
            }
        }
    }
}
