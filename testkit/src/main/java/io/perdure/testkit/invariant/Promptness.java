package io.perdure.testkit.invariant;

import io.perdure.core.store.Commit;
import io.perdure.core.store.Extended;
import io.perdure.core.store.Lease;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.RunCommit;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.worker.Release;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How soon runs and messages are handed out once the faults have stopped. What was asked for tells when something is due at the
 * latest: the length of a lease or its extension, the delay of a send, a retry or a release. What the store answered does not count,
 * or a store that leases for too long would excuse itself. Where several things may have happened, the latest counts.
 */
final class Promptness {
    /** What the rule gives beyond a lease. Backoff is in the delays. */
    private static final Duration SPARE = Duration.ofSeconds(30);

    private final Trace trace;
    private final Noted<Fact.FaultsStopped> stopped;
    private final Rule.Findings findings;

    private Promptness(Trace trace, Noted<Fact.FaultsStopped> stopped, Rule.Findings findings) {
        this.trace = trace;
        this.stopped = stopped;
        this.findings = findings;
    }

    static void look(Trace trace, Rule.Findings findings) {
        trace.only(Fact.FaultsStopped.class).stream().findFirst().ifPresent(stopped -> {
            Promptness look = new Promptness(trace, stopped, findings);
            trace.runs().values().forEach(look::run);
            look.messages();
        });
    }

    private void run(RunStory story) {
        int before = 0;
        Optional<Instant> leased = Optional.empty();
        for (Noted<Fact.RunClaimed> claim : story.claims) {
            if (claim.position() > stopped.position()) {
                int from = before;
                Stream<Instant> asked = story.asked.stream()
                        .filter(noted -> isBetween(noted, from, claim.position()))
                        .filter(noted -> !Retention.wasTurnedDown(
                                trace, story, noted.fact().ref()))
                        .flatMap(noted -> due(story, noted).stream());
                Stream<Instant> held =
                        Stream.concat(leased.stream(), extended(story.extensions, from, claim.position()));
                judge(story.key, claim, claim.fact().lease(), Stream.concat(asked, held));
            }
            before = claim.since();
            leased = Optional.of(claim.at().plus(claim.fact().lease().length()));
        }
    }

    private void judge(Object key, Noted<?> handedOut, Lease lease, Stream<Instant> dues) {
        Instant due =
                dues.filter(stopped.at()::isBefore).max(Instant::compareTo).orElse(stopped.at());
        Instant latest = due.plus(lease.length()).plus(SPARE).plus(trace.skew());
        if (handedOut.at().isAfter(latest)) {
            findings.add(
                    key,
                    handedOut.position(),
                    "it was handed out at %s, and due at %s at the latest".formatted(handedOut.at(), due));
        }
    }

    private static boolean isBetween(Noted<?> noted, int from, int to) {
        return noted.position() >= from && noted.position() < to;
    }

    private static Stream<Instant> extended(List<Noted<Fact.LeaseExtended>> extensions, int from, int to) {
        return extensions.stream()
                .filter(noted -> isBetween(noted, from, to))
                .filter(noted -> noted.fact().answer() instanceof Extended.Until)
                .map(noted -> noted.at().plus(noted.fact().request().length()));
    }

    /** When a run is due after a commit at the latest; empty where the commit leaves that as it is. */
    private Optional<Instant> due(RunStory story, Noted<Fact.Asked> noted) {
        Optional<Instant> due = switch (noted.fact().commit()) {
            case RunCommit.Start start ->
                Optional.of(Optional.ofNullable(start.lease())
                        .map(lease -> noted.at().plus(lease.length()))
                        .orElse(start.ready().fixedAt(noted.at())));
            case RunCommit.Advance advance ->
                Optional.ofNullable(advance.release()).map(release -> released(story, noted, release));
            case RunCommit.Intervene intervene -> Optional.of(intervene.ready().fixedAt(noted.at()));
            case RunCommit.Signal _, QueueCommit _ -> Optional.empty();
        };
        // Its deadline makes a run due earlier, but not before the commit.
        return due.map(time -> story.start()
                .map(start -> ((Outcome.Started) start.fact().outcome()).deadline())
                .map(deadline -> deadline.isBefore(noted.at()) ? noted.at() : deadline)
                .filter(time::isAfter)
                .orElse(time));
    }

    private Instant released(RunStory story, Noted<Fact.Asked> noted, Release release) {
        Instant ready = release.ready().fixedAt(noted.at());
        return release.wakeOn().stream()
                .flatMap(event -> woken(story, event))
                .filter(wake -> trace.firstAsked(wake.fact().ref()) > noted.position())
                .map(Noted::at)
                .filter(ready::isAfter)
                .min(Instant::compareTo)
                .orElse(ready);
    }

    /** The answers that say an event reached the mailbox of a run: a signal, or the end of a child. */
    private Stream<Noted<Fact.Answered>> woken(RunStory story, EventName event) {
        Stream<Noted<Fact.Answered>> signals = story.answered.stream()
                .filter(noted -> noted.fact().commit() instanceof RunCommit.Signal signal
                        && signal.event().equals(event)
                        && noted.fact().outcome() instanceof Outcome.Signalled signalled
                        && signalled.created());
        Stream<Noted<Fact.Answered>> children = event.isReserved()
                ? trace.runs().values().stream()
                        .filter(child -> child.key.tenant().equals(story.key.tenant())
                                && EventName.childEnded(child.key.run()).equals(event))
                        .flatMap(child -> child.appended().stream())
                        .filter(noted -> noted.fact().outcome() instanceof Outcome.Appended appended
                                && appended.status().isTerminal())
                : Stream.empty();
        return Stream.concat(signals, children);
    }

    private record Line(QueueKey queue, GroupKey group) {}

    private void messages() {
        Map<Line, List<MessageStory>> lines = new HashMap<>();
        for (MessageStory story : trace.messages().values()) {
            line(story)
                    .ifPresent(line ->
                            lines.computeIfAbsent(line, _ -> new ArrayList<>()).add(story));
        }
        for (MessageStory story : trace.messages().values()) {
            List<MessageStory> line =
                    line(story).map(key -> lines.getOrDefault(key, List.of())).orElse(List.of());
            message(story, line);
        }
    }

    private static Optional<Line> line(MessageStory story) {
        return story.sent()
                .flatMap(sent -> Optional.ofNullable(sent.group())
                        .map(group -> new Line(new QueueKey(story.key.tenant(), sent.queue()), group)));
    }

    /** Dead letters wait for whoever looks at them. What stands behind others of its group waits for all that befalls those. */
    private void message(MessageStory story, List<MessageStory> line) {
        int before = 0;
        for (Noted<Fact.MessageDelivered> delivery : story.deliveries) {
            boolean dead = delivery.fact().delivery().message().queue().holdsDeadLetters();
            if (delivery.position() > stopped.position() && !dead) {
                Stream<Instant> others = line.stream()
                        .filter(other -> other != story)
                        .flatMap(other -> dues(other, 0, delivery.position()));
                Stream<Instant> own = dues(story, before, delivery.position());
                judge(story.key, delivery, delivery.fact().lease(), Stream.concat(own, others));
            }
            before = delivery.position();
        }
    }

    private static Stream<Instant> dues(MessageStory story, int from, int to) {
        Stream<Instant> leases = story.deliveries.stream()
                .filter(noted -> isBetween(noted, from, to))
                .map(noted -> noted.at().plus(noted.fact().lease().length()));
        Duration delay = story.sent().map(NewMessage::delay).orElse(Duration.ZERO);
        Stream<Instant> sends = story.sends.stream()
                .filter(noted -> isBetween(noted, from, to))
                .map(noted -> noted.at().plus(delay));
        Stream<Instant> asked = story.asked.stream()
                .filter(noted -> isBetween(noted, from, to))
                .map(noted -> noted.at().plus(retryDelay(noted.fact().commit())));
        return Stream.of(leases, sends, asked, extended(story.extensions, from, to))
                .flatMap(times -> times);
    }

    private static Duration retryDelay(Commit commit) {
        return commit instanceof QueueCommit.Settle settle && settle.verdict() instanceof Verdict.Retry retry
                ? retry.delay()
                : Duration.ZERO;
    }
}
