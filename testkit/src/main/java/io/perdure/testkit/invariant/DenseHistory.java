package io.perdure.testkit.invariant;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import java.util.Comparator;
import java.util.List;

/** Invariant 6. Events are numbered without gaps from the run's creation, and every read is a prefix of every later one. */
final class DenseHistory extends Rule {
    DenseHistory() {
        super(6, "A history is dense and append-only: every read is a prefix of every later read.");
    }

    @Override
    void look(Trace trace, Findings findings) {
        for (RunStory story : trace.runs().values()) {
            story.pages.forEach(page -> page(story, page, findings));
            story.pages.forEach(page -> full(trace, story, page, findings));
            List<Recorded> longest = List.of();
            int atLeast = 0;
            int finished = 0;
            List<Noted<Fact.RunRead>> reads = story.reads.stream()
                    .sorted(Comparator.comparingInt(Noted::since))
                    .toList();
            for (Noted<Fact.RunRead> read : reads) {
                List<Recorded> history = read.fact().snapshot().history();
                dense(story, read, findings);
                int common = Math.min(history.size(), longest.size());
                if (!history.subList(0, common).equals(longest.subList(0, common))) {
                    findings.add(story.key, read.position(), "it was %s, and is now %s".formatted(longest, history));
                }
                if (history.size() < atLeast && read.since() > finished) {
                    findings.add(
                            story.key,
                            read.position(),
                            "it had %d events, and has now %d".formatted(atLeast, history.size()));
                }
                if (history.size() >= longest.size()) {
                    longest = history;
                    atLeast = history.size();
                    finished = read.position();
                }
            }
        }
    }

    /** A page must hold what every other read holds at these numbers. */
    private static void page(RunStory story, Noted<Fact.HistoryRead> page, Findings findings) {
        long expected = page.fact().from();
        for (Recorded recorded : page.fact().events()) {
            RunStory.Sighting known = story.events.get(recorded.seq());
            if (recorded.seq() != expected
                    || (known != null && !known.recorded().equals(recorded))) {
                findings.add(
                        story.key,
                        page.position(),
                        "the page from %d has %s where event %d stands"
                                .formatted(page.fact().from(), recorded, expected));
                return;
            }
            expected++;
        }
    }

    /** A page must hold what was known to be there when it was asked for, as far as its limit goes. */
    private static void full(Trace trace, RunStory story, Noted<Fact.HistoryRead> page, Findings findings) {
        long known = story.events.values().stream()
                .filter(sighting -> sighting.position() < page.since())
                .mapToLong(sighting -> sighting.recorded().seq() + 1)
                .max()
                .orElse(
                        story.start()
                                        .filter(start -> start.position() < page.since())
                                        .isPresent()
                                ? 1
                                : 0);
        long least = Math.min(page.fact().limit(), known - page.fact().from());
        int found = page.fact().events().size();
        if (found > page.fact().limit() || (found < least && !Retention.mayBeGone(trace, story, page.position()))) {
            findings.add(
                    story.key,
                    page.position(),
                    "the page from %d with at most %d has %d events, and %d were known"
                            .formatted(page.fact().from(), page.fact().limit(), found, known));
        }
    }

    private static void dense(RunStory story, Noted<Fact.RunRead> read, Findings findings) {
        List<Recorded> history = read.fact().snapshot().history();
        for (int seq = 0; seq < history.size(); seq++) {
            if (history.get(seq).seq() != seq) {
                findings.add(
                        story.key,
                        read.position(),
                        "event %d stands at place %d".formatted(history.get(seq).seq(), seq));
                return;
            }
            if ((seq == 0) != history.get(seq).event() instanceof Event.RunCreated) {
                findings.add(
                        story.key,
                        read.position(),
                        "a history begins with RunCreated, and has it nowhere else: %d is %s"
                                .formatted(seq, history.get(seq).event()));
                return;
            }
        }
        if (history.isEmpty()) {
            findings.add(story.key, read.position(), "its history is empty");
        }
    }
}
