package io.perdure.testkit.invariant;

import io.perdure.core.store.Outcome;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.queue.Fate;
import java.util.Comparator;
import java.util.List;

/** Invariant 1. What was answered as done is found by every read that began after the answer. */
final class AckDurability extends Rule {
    AckDurability() {
        super(1, "What was answered as done survives process, OS and database crash.");
    }

    @Override
    void look(Trace trace, Findings findings) {
        for (RunStory story : trace.runs().values()) {
            starts(trace, story, findings);
            events(story, findings);
            signals(story, findings);
        }
        for (MessageStory story : trace.messages().values()) {
            settlements(story, findings);
        }
    }

    private static void starts(Trace trace, RunStory story, Findings findings) {
        story.start()
                .ifPresent(start -> story.absences.stream()
                        .filter(absence -> absence.since() > start.position())
                        .filter(absence -> !Retention.mayHaveEnded(trace, story, absence.position()))
                        .findFirst()
                        .ifPresent(absence -> findings.add(
                                story.key,
                                absence.position(),
                                "its start was acknowledged at %d, and it is not there".formatted(start.position()))));
    }

    /** Reads by when they began, acknowledged events by when they were answered: each event is looked for once. */
    private static void events(RunStory story, Findings findings) {
        List<Noted<Fact.RunRead>> reads = story.reads.stream()
                .sorted(Comparator.comparingInt(Noted::since))
                .toList();
        List<Noted<Fact.Answered>> appended = story.appended();
        int next = 0;
        long highest = -1;
        for (Noted<Fact.RunRead> read : reads) {
            List<Recorded> history = read.fact().snapshot().history();
            while (next < appended.size() && appended.get(next).position() < read.since()) {
                Outcome.Appended outcome =
                        (Outcome.Appended) appended.get(next).fact().outcome();
                for (Recorded recorded : outcome.events()) {
                    highest = Math.max(highest, recorded.seq());
                    if (recorded.seq() < history.size()
                            && !history.get((int) recorded.seq()).equals(recorded)) {
                        findings.add(
                                story.key,
                                read.position(),
                                "%s was acknowledged, and %s is there"
                                        .formatted(recorded, history.get((int) recorded.seq())));
                    }
                }
                next++;
            }
            if (highest >= history.size()) {
                findings.add(
                        story.key,
                        read.position(),
                        "event %d was acknowledged, and the history ends before it with %d events"
                                .formatted(highest, history.size()));
                return;
            }
        }
    }

    private static void signals(RunStory story, Findings findings) {
        for (Noted<Fact.Answered> noted : story.answered) {
            if (noted.fact().outcome() instanceof Outcome.Signalled(long number, boolean _)) {
                story.reads.stream()
                        .filter(read -> read.since() > noted.position())
                        .filter(read -> read.fact().snapshot().run().wakes() < number)
                        .findFirst()
                        .ifPresent(read -> findings.add(
                                story.key,
                                read.position(),
                                "signal %d was acknowledged at %d, and the run has had only %d"
                                        .formatted(
                                                number,
                                                noted.position(),
                                                read.fact().snapshot().run().wakes())));
            }
        }
    }

    private static void settlements(MessageStory story, Findings findings) {
        for (Noted<Fact.Answered> noted : story.answered) {
            if (noted.fact().outcome() instanceof Outcome.Settled settled
                    && (settled.fate() == Fate.DONE || settled.fate() == Fate.DROPPED)) {
                story.deliveries.stream()
                        .filter(delivery -> delivery.since() > noted.position())
                        .findFirst()
                        .ifPresent(delivery -> findings.add(
                                story.key,
                                delivery.position(),
                                "it was acknowledged as %s at %d, and delivered again"
                                        .formatted(settled.fate(), noted.position())));
                if (!story.atTheEnd.isEmpty()) {
                    findings.add(
                            story.key,
                            noted.position(),
                            "it was acknowledged as %s, and is still in %s"
                                    .formatted(
                                            settled.fate(),
                                            story.atTheEnd.getFirst().queue()));
                }
            }
        }
    }
}
