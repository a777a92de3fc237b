package io.perdure.testkit.invariant;

import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunSnapshot;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.worker.Release;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Invariant 20. A worker's commit shows whole or not at all: all its events in every read, its messages if and only if its events,
 * and the time at which the run is due again. So does a receiver's verdict with the messages that leave with it.
 */
final class AtomicTransition extends Rule {
    AtomicTransition() {
        super(20, "Events, outgoing messages and timers of one transition commit together.");
    }

    @Override
    void look(Trace trace, Findings findings) {
        for (RunStory story : trace.runs().values()) {
            allEvents(story, findings);
            unansweredEvents(trace, story, findings);
            releases(trace, story, findings);
        }
        for (MessageStory story : trace.messages().values()) {
            messagesWithTheirCommit(trace, story, findings);
        }
    }

    private static void allEvents(RunStory story, Findings findings) {
        for (Noted<Fact.Answered> noted : story.appended()) {
            List<Recorded> events = ((Outcome.Appended) noted.fact().outcome()).events();
            int asked = Commits.events(noted.fact().commit()).size();
            if (events.size() != asked) {
                findings.add(
                        story.key,
                        noted.position(),
                        "%d events were to be appended, %d were".formatted(asked, events.size()));
            }
            if (events.size() > 1) {
                long first = events.getFirst().seq();
                long last = events.getLast().seq();
                story.reads.stream()
                        .filter(read -> read.fact().snapshot().history().size() > first)
                        .filter(read -> read.fact().snapshot().history().size() <= last)
                        .findFirst()
                        .ifPresent(read -> findings.add(
                                story.key,
                                read.position(),
                                "events %d to %d are one commit, and only some are there".formatted(first, last)));
            }
        }
    }

    /** A commit whose answer never came is there whole, or not. Only one that nobody else sent can be told by its events. */
    private static void unansweredEvents(Trace trace, RunStory story, Findings findings) {
        Map<Event, CommitRef> only = new HashMap<>();
        story.asked.forEach(noted -> Commits.events(noted.fact().commit())
                .forEach(event -> only.merge(event, noted.fact().ref(), (a, b) -> a.equals(b) ? a : SEVERAL)));
        List<Recorded> history = story.history();
        for (Noted<Fact.AnswerLost> noted : story.lost) {
            CommitRef ref = noted.fact().ref();
            if (trace.wasAnswered(ref)) {
                continue;
            }
            List<Event> events = Commits.events(noted.fact().commit());
            List<Event> own =
                    events.stream().filter(event -> ref.equals(only.get(event))).toList();
            long there = own.stream()
                    .filter(event -> history.stream()
                            .anyMatch(recorded -> recorded.event().equals(event)))
                    .count();
            if (there > 0 && there < own.size()) {
                findings.add(story.key, noted.position(), "of %s only some are there".formatted(own));
            }
        }
    }

    private static final CommitRef SEVERAL = new CommitRef("several", 0, 0);

    /** The next sight of a run that was let go shows it due when it was said, if nothing happened to it in between. */
    private static void releases(Trace trace, RunStory story, Findings findings) {
        for (Noted<Fact.Answered> noted : story.appended()) {
            if (!(noted.fact().commit() instanceof RunCommit.Advance advance)) {
                continue;
            }
            Release release = advance.release();
            List<Noted<Fact.Asked>> sent = story.asked.stream()
                    .filter(asked -> asked.fact().ref().equals(noted.fact().ref()))
                    .toList();
            // One that was sent several times may have applied long before this answer came.
            if (release != null && sent.size() == 1) {
                nextUndisturbed(story, noted, release).ifPresent(read -> {
                    Instant due = dueAt(
                            release, read.fact().snapshot(), sent.getFirst().at());
                    released(story, release, read, due, trace.skew(), findings);
                });
            }
        }
    }

    private static Instant dueAt(Release release, RunSnapshot snapshot, Instant at) {
        Instant due = release.ready().fixedAt(at);
        Instant deadline = snapshot.run().deadline();
        return deadline != null && deadline.isBefore(due) ? deadline : due;
    }

    private static void released(
            RunStory story, Release release, Noted<Fact.RunRead> read, Instant due, Duration skew, Findings findings) {
        RunSnapshot.RunMessage message = read.fact().snapshot().message();
        if (read.fact().snapshot().run().status() != RunStatus.RUNNING || message == null) {
            return;
        }
        boolean onTime = Duration.between(due, message.readyAt()).abs().compareTo(skew) <= 0;
        if (message.leased() || !message.wakeOn().equals(release.wakeOn()) || !onTime) {
            findings.add(
                    story.key,
                    read.position(),
                    "it was let go with %s, due at %s, and its message is %s".formatted(release, due, message));
        }
    }

    /** The next read, unless a claim or another commit was sent since. A child's notice can come any time, so not with those. */
    private static Optional<Noted<Fact.RunRead>> nextUndisturbed(
            RunStory story, Noted<Fact.Answered> noted, Release release) {
        if (release.wakeOn().stream().anyMatch(event -> event.isReserved())) {
            return Optional.empty();
        }
        return story.reads.stream()
                .filter(read -> read.since() > noted.position())
                .findFirst()
                .filter(read -> story.asked.stream().noneMatch(asked -> between(asked.position(), noted, read)))
                .filter(read -> story.claims.stream().noneMatch(claim -> between(claim.position(), noted, read)));
    }

    private static boolean between(int position, Noted<?> from, Noted<?> to) {
        return position > from.position() && position < to.position();
    }

    /** Messages that leave with a worker's events or with a verdict are there if and only if those are. */
    private static void messagesWithTheirCommit(Trace trace, MessageStory story, Findings findings) {
        if (story.sends.stream().map(noted -> noted.fact().ref()).distinct().count() != 1) {
            return;
        }
        Noted<Fact.Asked> noted = story.sends.getFirst();
        switch (noted.fact().commit()) {
            case RunCommit.Advance advance ->
                together(trace, story, isThere(trace, advance), "the events it left with", findings);
            case QueueCommit.Settle _ -> {
                if (trace.wasAnswered(noted.fact().ref())) {
                    together(trace, story, wasApplied(trace, noted.fact().ref()), "the verdict it left with", findings);
                }
            }
            // A send has nothing but its messages, and the other kinds have none.
            case QueueCommit.Send _, QueueCommit.Redrive _, QueueCommit.Discard _, QueueCommit.Purge _ -> {}
            case QueueCommit.Create _, QueueCommit.Update _, QueueCommit.Delete _ -> {}
            case RunCommit.Start _, RunCommit.Intervene _, RunCommit.Signal _ -> {}
        }
    }

    private static void together(Trace trace, MessageStory story, boolean there, String cause, Findings findings) {
        int position = story.sends.getFirst().position();
        boolean open = story.sent().map(NewMessage::deduplicationId).isPresent();
        if (there && !story.wasSeen() && !open && isOverdue(trace, story)) {
            findings.add(story.key, position, "%s came through, and it is not there".formatted(cause));
        }
        if (!there && story.wasSeen()) {
            findings.add(story.key, position, "it is there, and %s did not come through".formatted(cause));
        }
    }

    private static boolean wasApplied(Trace trace, CommitRef ref) {
        return trace.only(Fact.Answered.class).stream()
                .anyMatch(
                        noted -> noted.fact().ref().equals(ref) && noted.fact().outcome() instanceof Outcome.Applied);
    }

    private static boolean isThere(Trace trace, RunCommit.Advance advance) {
        return Optional.ofNullable(trace.runs().get(new RunKey(advance.tenant(), advance.run())))
                .map(story -> story.events.get(advance.seq()))
                .filter(sighting -> sighting.recorded()
                        .event()
                        .equals(advance.events().getFirst().event()))
                .isPresent();
    }

    private static boolean isOverdue(Trace trace, MessageStory story) {
        return trace.lastLook().isPresent()
                && !story.mayHaveLeft(Integer.MAX_VALUE)
                && !story.mayHaveExpired(trace, trace.lastLook().getAsInt());
    }
}
