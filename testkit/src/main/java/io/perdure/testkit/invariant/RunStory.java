package io.perdure.testkit.invariant;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunSnapshot;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Everything that a trace tells of one run, in order. */
final class RunStory {
    final RunKey key;
    final List<Noted<Fact.Asked>> asked = new ArrayList<>();
    final List<Noted<Fact.Answered>> answered = new ArrayList<>();
    final List<Noted<Fact.AnswerLost>> lost = new ArrayList<>();
    final List<Noted<Fact.RunRead>> reads = new ArrayList<>();
    final List<Noted<Fact.HistoryRead>> pages = new ArrayList<>();
    final List<Noted<Fact.RunAbsent>> absences = new ArrayList<>();
    final List<Noted<Fact.RunClaimed>> claims = new ArrayList<>();
    final List<Noted<Fact.LeaseExtended>> extensions = new ArrayList<>();
    final List<Noted<Fact.StepRan>> steps = new ArrayList<>();

    /** The first sight of each event, by its number. */
    final Map<Long, Sighting> events = new TreeMap<>();

    private @Nullable RunSnapshot atTheEnd;

    /** An event as it was first seen, and where. */
    record Sighting(Recorded recorded, int position) {}

    private RunStory(RunKey key) {
        this.key = key;
    }

    /** What the last look found, if it found the run. */
    Optional<RunSnapshot> atTheEnd() {
        return Optional.ofNullable(atTheEnd);
    }

    /** The start that was acknowledged as having created this run. */
    Optional<Noted<Fact.Answered>> start() {
        return answered.stream()
                .filter(noted -> noted.fact().outcome() instanceof Outcome.Started)
                .findFirst();
    }

    /** The start as it was asked for, whatever the answer was. */
    Optional<RunCommit.Start> startAsked() {
        return asked.stream()
                .filter(noted -> noted.fact().commit() instanceof RunCommit.Start)
                .map(noted -> (RunCommit.Start) noted.fact().commit())
                .findFirst();
    }

    /** The longest history that is known from its beginning without a gap. */
    List<Recorded> history() {
        List<Recorded> dense = new ArrayList<>();
        for (Sighting sighting : events.values()) {
            if (sighting.recorded().seq() != dense.size()) {
                break;
            }
            dense.add(sighting.recorded());
        }
        return dense;
    }

    /** The answers that say events were appended. */
    List<Noted<Fact.Answered>> appended() {
        return answered.stream()
                .filter(noted -> noted.fact().outcome() instanceof Outcome.Appended)
                .toList();
    }

    /** Whether somebody asked between these places for a change from outside that lets the run go on. */
    boolean mayHaveGoneOn(int from, int to) {
        return asked.stream()
                .filter(noted -> noted.position() >= from && noted.position() <= to)
                .anyMatch(noted -> noted.fact().commit() instanceof RunCommit.Intervene intervene
                        && intervene.events().stream()
                                .anyMatch(draft -> draft.event() instanceof Event.RunResumed
                                        || draft.event() instanceof Event.RunRedriven));
    }

    static Map<RunKey, RunStory> tell(Trace trace) {
        Map<RunKey, RunStory> stories = new LinkedHashMap<>();
        int lastLook = trace.lastLook().orElse(Integer.MAX_VALUE);
        commits(trace, stories);
        trace.only(Fact.RunRead.class)
                .forEach(noted -> of(
                                stories,
                                noted.fact().tenant(),
                                noted.fact().snapshot().run().id())
                        .read(noted, noted.position() > lastLook));
        trace.only(Fact.HistoryRead.class)
                .forEach(
                        noted -> of(stories, noted.fact().tenant(), noted.fact().run())
                                .pages
                                .add(noted));
        trace.only(Fact.RunAbsent.class)
                .forEach(
                        noted -> of(stories, noted.fact().tenant(), noted.fact().run())
                                .absences
                                .add(noted));
        trace.only(Fact.RunClaimed.class)
                .forEach(noted -> of(
                                stories,
                                noted.fact().tenant(),
                                noted.fact().run().run())
                        .claims
                        .add(noted));
        trace.only(Fact.StepRan.class)
                .forEach(
                        noted -> of(stories, noted.fact().tenant(), noted.fact().run())
                                .steps
                                .add(noted));
        trace.only(Fact.LeaseExtended.class).forEach(noted -> {
            MessageId message = noted.fact().request().receipt().message();
            RunStory story = stories.get(new RunKey(noted.fact().request().tenant(), new RunId(message.value())));
            if (story != null) {
                story.extensions.add(noted);
            }
        });
        return stories;
    }

    private static void commits(Trace trace, Map<RunKey, RunStory> stories) {
        trace.only(Fact.Asked.class).forEach(noted -> {
            if (noted.fact().commit() instanceof RunCommit commit) {
                of(stories, commit.tenant(), commit.run()).asked.add(noted);
            }
        });
        trace.only(Fact.AnswerLost.class).forEach(noted -> {
            if (noted.fact().commit() instanceof RunCommit commit) {
                of(stories, commit.tenant(), commit.run()).lost.add(noted);
            }
        });
        trace.only(Fact.Answered.class).forEach(noted -> {
            if (noted.fact().commit() instanceof RunCommit commit) {
                of(stories, commit.tenant(), commit.run()).answer(noted);
            }
        });
    }

    private static RunStory of(Map<RunKey, RunStory> stories, TenantId tenant, RunId run) {
        return stories.computeIfAbsent(new RunKey(tenant, run), RunStory::new);
    }

    private void answer(Noted<Fact.Answered> noted) {
        answered.add(noted);
        if (noted.fact().outcome() instanceof Outcome.Appended appended) {
            appended.events().forEach(recorded -> see(recorded, noted.position()));
        }
    }

    private void read(Noted<Fact.RunRead> noted, boolean lastLook) {
        reads.add(noted);
        RunSnapshot snapshot = noted.fact().snapshot();
        snapshot.history().forEach(recorded -> see(recorded, noted.position()));
        if (lastLook) {
            atTheEnd = snapshot;
        }
    }

    private void see(Recorded recorded, int position) {
        events.merge(
                recorded.seq(),
                new Sighting(recorded, position),
                (before, now) -> before.position() <= now.position() ? before : now);
    }
}
