package io.perdure.testkit.invariant;

import io.perdure.core.store.Histories;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Invariant 17. While its run goes on, an acknowledged signal is either in the mailbox or in the history, once; signals of one
 * event are taken in the order they came; a wait does not time out on a signal that its worker has seen; and one signal never
 * becomes two.
 */
final class SignalOnce extends Rule {
    SignalOnce() {
        super(
                17,
                "An acknowledged signal enters its run's history exactly once if a matching wait is reached, in order, even if"
                        + " it came before the wait.");
    }

    private record Signal(EventName event, Json payload) {}

    @Override
    void look(Trace trace, Findings findings) {
        for (RunStory story : trace.runs().values()) {
            Map<Long, Signal> acknowledged = acknowledged(story, findings);
            takenOnceInOrder(story, acknowledged, findings);
            keptUntilTaken(story, findings);
            noTimeoutOnAFullMailbox(story, findings);
            neverTwo(trace, story, findings);
        }
    }

    /** What each number was acknowledged for. Two numbers for one deduplication id are one signal too many. */
    private static Map<Long, Signal> acknowledged(RunStory story, Findings findings) {
        Map<Long, Signal> signals = new HashMap<>();
        Map<DeduplicationId, Long> numbers = new HashMap<>();
        for (Noted<Fact.Answered> noted : story.answered) {
            if (noted.fact().commit() instanceof RunCommit.Signal signal
                    && noted.fact().outcome() instanceof Outcome.Signalled(long number, boolean created)) {
                if (created) {
                    signals.put(number, new Signal(signal.event(), signal.payload()));
                }
                DeduplicationId id = signal.deduplicationId();
                Long before = id == null ? null : numbers.putIfAbsent(id, number);
                if (before != null && before != number) {
                    findings.add(
                            story.key,
                            noted.position(),
                            "deduplication id %s is signal %d, and then %d".formatted(id, before, number));
                }
            }
        }
        return signals;
    }

    private static void takenOnceInOrder(RunStory story, Map<Long, Signal> acknowledged, Findings findings) {
        Set<Long> taken = new HashSet<>();
        Map<EventName, Long> latest = new HashMap<>();
        Set<StepName> choosy = new HashSet<>();
        for (RunStory.Sighting sighting : story.events.values()) {
            Event event = sighting.recorded().event();
            if (event instanceof Event.WaitStarted wait && wait.match() != null) {
                choosy.add(wait.name());
            }
            Histories.signalTaken(event).ifPresent(number -> {
                if (!taken.add(number)) {
                    findings.add(story.key, sighting.position(), "signal %d was taken twice".formatted(number));
                }
            });
            if (event instanceof Event.EventReceived received) {
                Long before = latest.put(received.event(), received.signal());
                if (before != null && before > received.signal() && !choosy.contains(received.name())) {
                    findings.add(
                            story.key,
                            sighting.position(),
                            "signal %d was taken after signal %d".formatted(received.signal(), before));
                }
                Signal sent = acknowledged.get(received.signal());
                if (sent != null && !sent.equals(new Signal(received.event(), received.payload()))) {
                    findings.add(story.key, sighting.position(), "%s was sent, and %s taken".formatted(sent, received));
                }
            }
        }
    }

    private static void keptUntilTaken(RunStory story, Findings findings) {
        for (Noted<Fact.RunRead> read : story.reads) {
            RunSnapshot snapshot = read.fact().snapshot();
            if (snapshot.run().status().isTerminal()) {
                continue;
            }
            Map<Long, Integer> places = new HashMap<>();
            snapshot.mailbox().forEach(entry -> places.merge(entry.number(), 1, Integer::sum));
            snapshot.history()
                    .forEach(recorded -> Histories.signalTaken(recorded.event())
                            .ifPresent(number -> places.merge(number, 1, Integer::sum)));
            for (Noted<Fact.Answered> noted : story.answered) {
                if (noted.position() < read.since()
                        && noted.fact().outcome() instanceof Outcome.Signalled(long number, boolean _)
                        && places.getOrDefault(number, 0) != 1) {
                    findings.add(
                            story.key,
                            read.position(),
                            "signal %d was acknowledged at %d, and is in %d places"
                                    .formatted(number, noted.position(), places.getOrDefault(number, 0)));
                }
            }
        }
    }

    private static void noTimeoutOnAFullMailbox(RunStory story, Findings findings) {
        Map<StepName, EventName> waits = new HashMap<>();
        story.history().forEach(recorded -> {
            if (recorded.event() instanceof Event.WaitStarted wait && wait.match() == null) {
                waits.put(wait.name(), wait.event());
            }
        });
        for (Noted<Fact.Answered> noted : story.appended()) {
            for (Recorded recorded : ((Outcome.Appended) noted.fact().outcome()).events()) {
                if (recorded.event() instanceof Event.WaitTimedOut(StepName name)) {
                    lastReadBy(story, noted)
                            .filter(snapshot -> snapshot.mailbox().stream()
                                    .anyMatch(entry -> entry.event().equals(waits.get(name))))
                            .ifPresent(_ -> findings.add(
                                    story.key,
                                    noted.position(),
                                    "wait %s timed out with its event in the mailbox".formatted(name)));
                }
            }
        }
    }

    private static Optional<RunSnapshot> lastReadBy(RunStory story, Noted<Fact.Answered> noted) {
        return story.reads.stream()
                .filter(read -> read.position() < noted.position() && read.by().equals(noted.by()))
                .map(read -> read.fact().snapshot())
                .reduce((_, later) -> later);
    }

    /** There are no more signals of one content than commits that may have brought one. */
    private static void neverTwo(Trace trace, RunStory story, Findings findings) {
        Map<Signal, Set<CommitRef>> sent = new HashMap<>();
        for (Noted<Fact.Asked> noted : story.asked) {
            if (noted.fact().commit() instanceof RunCommit.Signal signal
                    && !Retention.wasTurnedDown(trace, story, noted.fact().ref())) {
                sent.computeIfAbsent(new Signal(signal.event(), signal.payload()), _ -> new HashSet<>())
                        .add(noted.fact().ref());
            }
        }
        Map<Long, Signal> seen = new TreeMap<>();
        story.reads.forEach(read -> {
            for (MailboxEntry entry : read.fact().snapshot().mailbox()) {
                seen.putIfAbsent(entry.number(), new Signal(entry.event(), entry.payload()));
            }
        });
        story.history().forEach(recorded -> {
            if (recorded.event() instanceof Event.EventReceived received) {
                seen.putIfAbsent(received.signal(), new Signal(received.event(), received.payload()));
            }
        });
        Map<Signal, Integer> found = new HashMap<>();
        seen.forEach((number, signal) -> {
            int most = sent.getOrDefault(signal, Set.of()).size();
            if (!signal.event().isReserved() && found.merge(signal, 1, Integer::sum) > most) {
                findings.add(
                        story.key,
                        last(story.reads),
                        "%s is there as signal %d too, and was sent %d times".formatted(signal, number, most));
            }
        });
    }

    private static int last(List<Noted<Fact.RunRead>> reads) {
        return reads.isEmpty() ? 0 : reads.getLast().position();
    }
}
