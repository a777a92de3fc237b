package io.perdure.testkit.invariant;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit;
import io.perdure.sdk.history.Event;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Invariant 2. A commit that is sent again is answered as the first time, and is found in the history once, or not at all
 * where the answer says that it was not applied.
 */
final class UnknownIsNotFailed extends Rule {
    UnknownIsNotFailed() {
        super(
                2,
                "A commit whose answer was lost applied zero or one times, and is answered truly when it is sent again.");
    }

    @Override
    void look(Trace trace, Findings findings) {
        sameAnswers(trace, findings);
        trace.runs().values().forEach(story -> recordedAsOftenAsCommitted(trace, story, findings));
        trace.messages().values().forEach(story -> refusedMeansNotSent(trace, story, findings));
    }

    private static void sameAnswers(Trace trace, Findings findings) {
        Map<CommitRef, Outcome> first = new HashMap<>();
        for (Noted<Fact.Answered> noted : trace.only(Fact.Answered.class)) {
            Outcome earlier = first.putIfAbsent(noted.fact().ref(), noted.fact().outcome());
            if (earlier != null && !earlier.equals(noted.fact().outcome())) {
                findings.add(
                        "commit " + noted.fact().ref(),
                        noted.position(),
                        "it was answered %s, and when it was sent again %s"
                                .formatted(earlier, noted.fact().outcome()));
            }
        }
    }

    /** Every event in a history must be accounted for by a commit of its own that was not turned down. */
    private static void recordedAsOftenAsCommitted(Trace trace, RunStory story, Findings findings) {
        Map<Event, Integer> committed = new HashMap<>();
        Set<CommitRef> counted = new HashSet<>();
        boolean started = false;
        for (Noted<Fact.Asked> noted : story.asked) {
            CommitRef ref = noted.fact().ref();
            if (counted.add(ref) && !Retention.wasTurnedDown(trace, story, ref)) {
                started |= noted.fact().commit() instanceof RunCommit.Start;
                Commits.events(noted.fact().commit()).forEach(event -> committed.merge(event, 1, Integer::sum));
            }
        }
        for (RunStory.Sighting sighting : story.events.values()) {
            Event event = sighting.recorded().event();
            if (event instanceof Event.RunCreated) {
                if (!started) {
                    findings.add(story.key, sighting.position(), "it is there, and no start of it succeeded");
                }
            } else if (committed.merge(event, -1, Integer::sum) < 0) {
                findings.add(
                        story.key,
                        sighting.position(),
                        "%s is recorded more often than commits that may have applied bring it".formatted(event));
            }
        }
    }

    private static void refusedMeansNotSent(Trace trace, MessageStory story, Findings findings) {
        boolean allAnswered = story.sends.stream()
                .allMatch(noted -> trace.wasAnswered(noted.fact().ref()));
        if (!story.wasRefused() || !allAnswered) {
            return;
        }
        story.deliveries.stream()
                .findFirst()
                .ifPresent(delivery -> findings.add(
                        story.key, delivery.position(), "every answer said it was not sent, and it was delivered"));
        if (!story.atTheEnd.isEmpty()) {
            findings.add(
                    story.key,
                    story.sends.getLast().position(),
                    "every answer said it was not sent, and it is in "
                            + story.atTheEnd.getFirst().queue());
        }
    }
}
