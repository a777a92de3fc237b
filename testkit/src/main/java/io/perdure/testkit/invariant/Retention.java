package io.perdure.testkit.invariant;

import io.perdure.core.store.Histories;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What can be said about when a run may go for good. */
final class Retention {
    private Retention() {}

    /** Whether a commit that ends the run was sent before this place and, as far as is known, not turned down. */
    static boolean mayHaveEnded(Trace trace, RunStory story, int before) {
        return endings(trace, story).stream().anyMatch(noted -> noted.position() < before);
    }

    /** Whether a sweep before this place can rightly have removed the run: it ended, and its days were over. */
    static boolean mayBeGone(Trace trace, RunStory story, int before) {
        Optional<Duration> kept =
                story.startAsked().map(start -> Duration.ofDays(start.options().retentionDays()));
        List<Noted<Fact.Swept>> sweeps = trace.only(Fact.Swept.class).stream()
                .filter(noted -> noted.position() < before)
                .filter(noted -> noted.fact().what() == Sweep.RETIRED_RUNS
                        && noted.fact().count() > 0)
                .toList();
        return endings(trace, story).stream()
                .anyMatch(ending -> sweeps.stream()
                        .filter(sweep -> sweep.position() > ending.position())
                        .anyMatch(sweep -> isOver(
                                ending.at(),
                                kept.orElse(Duration.ZERO),
                                sweep.at().plus(trace.skew()))));
    }

    private static boolean isOver(Instant endedAt, Duration kept, Instant sweptAt) {
        return endedAt.plus(kept).isBefore(sweptAt);
    }

    /** Commits that end the run and were not turned down, save those that a redrive undid. */
    private static List<Noted<Fact.Asked>> endings(Trace trace, RunStory story) {
        int redriven = story.appended().stream()
                .filter(noted -> noted.fact().commit() instanceof RunCommit.Intervene intervene
                        && intervene.events().getFirst().event() instanceof Event.RunRedriven)
                // Sent again, a redrive may have applied long before this answer came.
                .mapToInt(noted -> trace.firstAsked(noted.fact().ref()))
                .max()
                .orElse(-1);
        return story.asked.stream()
                .filter(noted -> noted.position() > redriven)
                .filter(noted -> ends(noted.fact()))
                .filter(noted -> !wasTurnedDown(trace, story, noted.fact().ref()))
                .toList();
    }

    private static boolean ends(Fact.Asked asked) {
        List<Draft> events = Commits.drafts(asked.commit());
        return Histories.ends(events) && !(events.getLast().event() instanceof Event.RunParked);
    }

    /** Whether every answer to a commit said that nothing of it was applied. */
    static boolean wasTurnedDown(Trace trace, RunStory story, CommitRef ref) {
        return trace.wasAnswered(ref)
                && story.answered.stream()
                        .filter(noted -> noted.fact().ref().equals(ref))
                        .noneMatch(noted -> noted.fact().outcome() instanceof Outcome.Applied);
    }
}
