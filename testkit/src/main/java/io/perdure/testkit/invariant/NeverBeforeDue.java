package io.perdure.testkit.invariant;

import io.perdure.core.store.Commit;
import io.perdure.core.store.Extended;
import io.perdure.core.store.Lease;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.RunCommit;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Invariant 14. Nothing is handed out before its delay, its retry's delay or its release is over, nor while somebody else's
 * lease of it lasts. A lease that was seen to end further ahead than twice its length, because the clock went back, may have been shortened
 * to one length from then on. That it is handed out again soon after is for {@link Liveness}.
 */
final class NeverBeforeDue extends Rule {
    NeverBeforeDue() {
        super(14, "Never delivered before it is due; redelivered soon after its lease ends.");
    }

    /**
     * A lease as it is known: its length and its end.
     *
     * @param since  where in the trace it began
     * @param knownFrom  where it was first asked for until this end
     */
    private record Held(UUID token, int since, int knownFrom, Instant until, Duration length) {
        Held(UUID token, int since, Instant until, Duration length) {
            this(token, since, since, until, length);
        }

        Held extended(int asked, Instant end, Duration newLength) {
            return new Held(token, since, asked, end, newLength);
        }

        /** Whether it lasts at a place in the trace, at which the clock shows this time. */
        boolean lasts(Trace trace, int position, Instant now) {
            return until.isAfter(now)
                    && trace.earliest(knownFrom, position, seen -> until.isAfter(seen.plus(length.multipliedBy(2))))
                            .filter(seen -> !seen.plus(length).isAfter(now))
                            .isEmpty();
        }
    }

    @Override
    void look(Trace trace, Findings findings) {
        for (MessageStory story : trace.messages().values()) {
            for (int index = 0; index < story.deliveries.size(); index++) {
                Noted<Fact.MessageDelivered> delivery = story.deliveries.get(index);
                int before = index == 0
                        ? story.firstAsked()
                        : story.deliveries.get(index - 1).since();
                if (isUnheardOf(trace, story, before, delivery.position())) {
                    continue;
                }
                Optional<String> why = index == 0
                        ? delayed(trace, story, delivery)
                        : again(trace, story, story.deliveries.get(index - 1), delivery);
                why.ifPresent(reason -> findings.add(story.key, delivery.position(), reason));
            }
        }
        for (RunStory story : trace.runs().values()) {
            for (int index = 0; index < story.claims.size(); index++) {
                Noted<Fact.RunClaimed> claim = story.claims.get(index);
                Optional<String> why = RunDue.held(trace, story, index)
                        .filter(held ->
                                held.lasts(trace, claim.position(), claim.at().plus(trace.skew())))
                        .map(held -> "it was claimed while a lease of it lasted until " + held.until())
                        .or(() -> RunDue.notDue(trace, story, claim));
                why.ifPresent(reason -> findings.add(story.key, claim.position(), reason));
            }
        }
    }

    /** Whether somebody may have had it in between without hearing of it, with a lease that ran out because the clock went back. */
    private static boolean isUnheardOf(Trace trace, MessageStory story, int after, int before) {
        return trace.wentBack(Math.min(after, before), before)
                && story.queue().stream()
                        .flatMap(queue -> Stream.of(queue, queue.deadLetters()))
                        .anyMatch(queue -> trace.lostReceives(story.key.tenant(), queue, after, before) > 0);
    }

    private static Optional<String> delayed(Trace trace, MessageStory story, Noted<Fact.MessageDelivered> delivery) {
        return story.sent()
                .map(NewMessage::delay)
                .map(delay -> story.firstAskedAt().plus(delay))
                .filter(due -> delivery.at().plus(trace.skew()).isBefore(due))
                .map(due -> "it was delivered at %s, and due at %s".formatted(delivery.at(), due));
    }

    private static Optional<String> again(
            Trace trace,
            MessageStory story,
            Noted<Fact.MessageDelivered> before,
            Noted<Fact.MessageDelivered> delivery) {
        List<Noted<Fact.Asked>> between = story.asked.stream()
                .filter(noted -> noted.position() > before.position() && noted.position() < delivery.position())
                .filter(noted ->
                        concerns(noted.fact().commit(), before.fact().delivery().receipt()))
                .filter(noted -> story.answers(noted.fact().ref()).allMatch(Outcome.Applied.class::isInstance))
                .toList();
        if (!queue(before).equals(queue(delivery))) {
            // Whoever found its deliveries used up moved it, perhaps while the clock stood further back.
            return Optional.empty();
        }
        Instant now = delivery.at().plus(trace.skew());
        boolean held = held(story, before, delivery.position()).lasts(trace, delivery.position(), now);
        if (between.isEmpty()) {
            return held ? Optional.of("it was delivered while a lease of it lasted") : Optional.empty();
        }
        boolean answered = between.stream()
                .allMatch(noted -> trace.wasAnswered(noted.fact().ref()));
        if ((!answered && !held) || !between.stream().allMatch(noted -> isRetry(noted.fact()))) {
            return Optional.empty();
        }
        // Sent again or answered late, a retry may have applied at any of its sendings: the first is the earliest.
        return between.stream()
                .flatMap(noted ->
                        retry(noted.fact().commit()).map(retry -> noted.at().plus(retry.delay())).stream())
                .min(Instant::compareTo)
                .filter(now::isBefore)
                .map(due -> "it was delivered at %s, and its retry was due at %s".formatted(delivery.at(), due));
    }

    /** Another lease's settlement that is sent again changes nothing now. */
    private static boolean concerns(Commit commit, Receipt receipt) {
        return !(commit instanceof QueueCommit.Settle settle)
                || settle.receipt().equals(receipt);
    }

    private static QueueName queue(Noted<Fact.MessageDelivered> delivery) {
        return delivery.fact().delivery().message().queue();
    }

    private static boolean isRetry(Fact.Asked asked) {
        return retry(asked.commit()).isPresent();
    }

    private static Optional<Verdict.Retry> retry(Commit commit) {
        return commit instanceof QueueCommit.Settle settle && settle.verdict() instanceof Verdict.Retry retry
                ? Optional.of(retry)
                : Optional.empty();
    }

    private static Held held(MessageStory story, Noted<Fact.MessageDelivered> delivery, int before) {
        Lease lease = delivery.fact().lease();
        Held held = new Held(
                lease.token(),
                delivery.position(),
                delivery.fact().delivery().message().readyAt(),
                lease.length());
        return extended(held, story.extensions, before);
    }

    private static Held extended(Held lease, List<Noted<Fact.LeaseExtended>> extensions, int before) {
        Held held = lease;
        for (Noted<Fact.LeaseExtended> noted : extensions) {
            boolean ofThisLease = noted.fact().request().receipt().token().equals(held.token())
                    && noted.position() > held.since()
                    && noted.position() < before;
            if (ofThisLease && noted.fact().answer() instanceof Extended.Until(Instant time)) {
                held = held.extended(noted.since(), time, noted.fact().request().length());
            }
        }
        return held;
    }

    /** When a run may be claimed. */
    private static final class RunDue {
        /** The lease before a claim, unless something may have ended it. */
        static Optional<Held> held(Trace trace, RunStory story, int index) {
            Noted<Fact.RunClaimed> claim = story.claims.get(index);
            Optional<Held> lease = index == 0
                    ? handedOver(trace, story)
                    : Optional.of(story.claims.get(index - 1))
                            .map(noted -> new Held(
                                    noted.fact().lease().token(),
                                    noted.position(),
                                    noted.fact().run().leasedUntil(),
                                    noted.fact().lease().length()));
            return lease.filter(held -> story.asked.stream()
                            .filter(noted -> noted.position() > held.since() && noted.position() < claim.position())
                            .noneMatch(noted -> letsGo(noted.fact().commit())))
                    .map(held -> extended(held, story.extensions, claim.position()));
        }

        private static Optional<Held> handedOver(Trace trace, RunStory story) {
            return story.start().flatMap(noted -> {
                Lease lease = ((RunCommit.Start) noted.fact().commit()).lease();
                Instant at = ((Outcome.Started) noted.fact().outcome()).at();
                return lease == null
                        ? Optional.empty()
                        : Optional.of(new Held(
                                lease.token(),
                                trace.firstAsked(noted.fact().ref()),
                                at.plus(lease.length()),
                                lease.length()));
            });
        }

        private static boolean letsGo(Commit commit) {
            return switch (commit) {
                case RunCommit.Advance advance -> advance.release() != null;
                case RunCommit.Intervene _ -> true;
                case RunCommit.Start _, RunCommit.Signal _, QueueCommit _ -> false;
            };
        }

        /** The release or start that a claim follows, where nothing else can have made the run due. */
        static Optional<String> notDue(Trace trace, RunStory story, Noted<Fact.RunClaimed> claim) {
            Optional<Noted<Fact.Asked>> last = story.asked.stream()
                    .filter(noted -> noted.position() < claim.position())
                    .filter(noted ->
                            !Retention.wasTurnedDown(trace, story, noted.fact().ref()))
                    .reduce((_, later) -> later);
            return last.filter(noted -> trace.wasAnswered(noted.fact().ref()))
                    .filter(noted -> story.claims.stream()
                            .noneMatch(other ->
                                    other.position() > noted.position() && other.position() < claim.position()))
                    .filter(noted -> story.asked.stream()
                                    .filter(other -> other.fact()
                                            .ref()
                                            .equals(noted.fact().ref()))
                                    .count()
                            == 1)
                    .flatMap(noted -> due(noted.fact().commit(), noted.at()))
                    .map(due -> story.startAsked()
                            .map(start -> start.options().deadline().fixedAt(startedAt(story)))
                            .filter(deadline -> deadline.isBefore(due))
                            .orElse(due))
                    .filter(due -> claim.at().plus(trace.skew()).isBefore(due))
                    .map(due -> "it was claimed at %s, and due at %s".formatted(claim.at(), due));
        }

        /** The earliest time at which its start can have been applied. */
        private static Instant startedAt(RunStory story) {
            return story.asked.stream()
                    .filter(noted -> noted.fact().commit() instanceof RunCommit.Start)
                    .map(Noted::at)
                    .min(Instant::compareTo)
                    .orElse(Instant.EPOCH);
        }

        /** When a commit says that the run is due; empty where it keeps its lease, or where an event may wake it. */
        private static Optional<Instant> due(Commit commit, Instant at) {
            return switch (commit) {
                case RunCommit.Start start
                when start.lease() == null -> Optional.of(start.ready().fixedAt(at));
                case RunCommit.Advance advance ->
                    Optional.ofNullable(advance.release())
                            .filter(release -> release.wakeOn().stream().noneMatch(event -> event.isReserved()))
                            .map(release -> release.ready().fixedAt(at));
                case RunCommit.Start _, RunCommit.Intervene _, RunCommit.Signal _, QueueCommit _ -> Optional.empty();
            };
        }
    }
}
