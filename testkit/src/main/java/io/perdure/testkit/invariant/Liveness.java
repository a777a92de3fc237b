package io.perdure.testkit.invariant;

import io.perdure.core.store.MessageRow;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunSnapshot;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Invariant 4. When faults have stopped and everything came to rest, nothing is left that could have moved on: what a run waits
 * for by its last event has not come yet, and every message left waits for its time or for the one before it. And whatever was
 * handed out since the faults stopped was handed out soon after it was due, which is the second half of invariant 14 too.
 */
final class Liveness extends Rule {
    /** The grace that the rule gives beyond what was asked to wait: a lease, and 30 s. Backoff is in {@code until}. */
    private static final Duration GRACE = Limits.defaults().runs().lease().plusSeconds(30);

    Liveness() {
        super(4, "Once faults stop, everything runnable moves on within lease + backoff + 30 s.");
    }

    @Override
    void look(Trace trace, Findings findings) {
        Promptness.look(trace, findings);
        if (trace.lastLook().isEmpty()) {
            return;
        }
        int position = trace.lastLook().getAsInt();
        Instant overdue = trace.all().get(position).at().minus(GRACE);
        for (RunStory story : trace.runs().values()) {
            story.atTheEnd()
                    .filter(snapshot -> snapshot.run().status() == RunStatus.RUNNING)
                    .flatMap(snapshot -> stuck(trace, story, snapshot, overdue))
                    .ifPresent(why -> findings.add(story.key, position, why));
        }
        for (Noted<Fact.QueueRead> read : trace.only(Fact.QueueRead.class)) {
            if (read.position() > position && !read.fact().queue().holdsDeadLetters()) {
                messages(read, overdue, findings);
            }
        }
    }

    private static Optional<String> stuck(Trace trace, RunStory story, RunSnapshot snapshot, Instant overdue) {
        Instant deadline = snapshot.run().deadline();
        if (deadline != null && deadline.isBefore(overdue)) {
            return Optional.of("it is still running after its deadline %s".formatted(deadline));
        }
        Recorded last = lastOfItsOwn(snapshot.history());
        Instant until = last.until();
        boolean timeOver = until != null && until.isBefore(overdue) && !(last.event() instanceof Event.RunCreated);
        return switch (last.event()) {
            case Event.WaitStarted wait
            when holds(snapshot, wait.event()) ->
                Optional.of("it waits for %s, which lies in its mailbox".formatted(wait.event()));
            case Event.ChildStarted child -> childIsOver(trace, snapshot.run().tenant(), child, snapshot);
            case Event.SleepStarted _, Event.WaitStarted _ ->
                timeOver ? Optional.of("%s was over at %s".formatted(last.event(), until)) : Optional.empty();
            case Event.RunCreated _ -> notStarted(story, snapshot, last.at(), overdue);
            case Event.StepFailed _
            when until != null ->
                timeOver ? Optional.of("%s was over at %s".formatted(last.event(), until)) : Optional.empty();
            case Event.StepStarted _, Event.StepCompleted _, Event.StepFailed _ -> goesOn(snapshot, overdue);
            case Event.EventReceived _, Event.WaitTimedOut _, Event.ChildEnded _ -> goesOn(snapshot, overdue);
            case Event.RunParked _, Event.RunResumed _, Event.RunRedriven _ -> goesOn(snapshot, overdue);
            case Event.RunCompleted _, Event.RunFailed _, Event.RunCancelled _ -> goesOn(snapshot, overdue);
        };
    }

    private static Optional<String> goesOn(RunSnapshot snapshot, Instant overdue) {
        Recorded last = snapshot.history().getLast();
        return last.at().isBefore(overdue) && dueBy(snapshot, overdue)
                ? Optional.of("nothing came after %s".formatted(last))
                : Optional.empty();
    }

    /**
     * What the run did last. Whoever is parked and resumed, or failed and was redriven, still waits for what it waited for.
     */
    private static Recorded lastOfItsOwn(List<Recorded> history) {
        return history.reversed().stream()
                .filter(recorded -> !isInterruption(recorded.event()))
                .findFirst()
                .orElse(history.getFirst());
    }

    private static boolean isInterruption(Event event) {
        return event instanceof Event.RunParked
                || event instanceof Event.RunResumed
                || event instanceof Event.RunFailed
                || event instanceof Event.RunRedriven;
    }

    private static boolean holds(RunSnapshot snapshot, EventName event) {
        return snapshot.mailbox().stream().anyMatch(entry -> entry.event().equals(event));
    }

    private static Optional<String> childIsOver(
            Trace trace, TenantId tenant, Event.ChildStarted child, RunSnapshot parent) {
        if (holds(parent, EventName.childEnded(child.child()))) {
            return Optional.of("the end of child %s lies in its mailbox".formatted(child.child()));
        }
        RunStory story = trace.runs().get(new RunKey(tenant, child.child()));
        return Optional.ofNullable(story)
                .flatMap(RunStory::atTheEnd)
                .filter(snapshot -> snapshot.run().status().isTerminal())
                .map(snapshot -> "its child %s is %s, and it was not told"
                        .formatted(child.child(), snapshot.run().status().word()));
    }

    /** A run that has not begun is due when its start said so. Where nobody noted the start, its message tells. */
    private static Optional<String> notStarted(RunStory story, RunSnapshot snapshot, Instant at, Instant overdue) {
        boolean due = story.startAsked()
                .map(RunCommit.Start::ready)
                .map(ready -> ready.fixedAt(at).isBefore(overdue))
                .orElse(dueBy(snapshot, overdue));
        return due ? Optional.of("it was due to start and did not") : Optional.empty();
    }

    private static boolean dueBy(RunSnapshot snapshot, Instant overdue) {
        RunSnapshot.RunMessage message = snapshot.message();
        return message == null || message.readyAt().isBefore(overdue);
    }

    /** The first of a group and whatever has no group must have been received. */
    private static void messages(Noted<Fact.QueueRead> read, Instant overdue, Findings findings) {
        List<MessageRow> rows = read.fact().messages();
        for (MessageRow row : rows) {
            boolean first = row.group() == null
                    || rows.stream()
                            .filter(other -> row.group().equals(other.group()))
                            .noneMatch(other -> other.groupSeq() < row.groupSeq());
            if (first && row.readyAt().isBefore(overdue) && row.expiresAt().isAfter(read.at())) {
                findings.add(
                        new MessageKey(read.fact().tenant(), row.id()),
                        read.position(),
                        "it is ready since %s in %s and nobody received it".formatted(row.readyAt(), row.queue()));
            }
        }
    }
}
