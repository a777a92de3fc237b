package io.perdure.testkit.invariant;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Discard;
import io.perdure.core.store.QueueCommit.Redrive;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.QueueFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a queue may say that it took in and let go when all is at rest: no less than was told done, no more than was asked for. */
final class QueueTotals {
    private final Trace trace;
    private final QueueName queue;

    /** The messages that ever could be in the queue. */
    private final List<MessageStory> stories;

    QueueTotals(Trace trace, QueueKey key) {
        this.trace = trace;
        this.queue = key.queue();
        this.stories = trace.messages().values().stream()
                .filter(story -> story.key.tenant().equals(key.tenant()))
                .filter(story -> story.queue()
                        .filter(sentTo ->
                                sentTo.equals(queue) || sentTo.deadLetters().equals(queue))
                        .isPresent())
                .toList();
    }

    /** What cannot be true of the figures, in words. */
    List<String> contradictions(QueueFigures figures) {
        List<String> found = new ArrayList<>();
        if (queue.holdsDeadLetters()) {
            long givenUp = givenUp();
            if (figures.in() < givenUp) {
                found.add("%d messages were given up to it, and it took in %d".formatted(givenUp, figures.in()));
            }
        } else {
            cameIn(figures, found);
        }
        long expired = stories.stream().filter(this::mayHaveExpired).count();
        if (figures.expired() > expired) {
            found.add("%d of its messages can have expired, and it says %s".formatted(expired, figures));
        }
        long least = retried().filter(QueueTotals::wasRetried).count();
        long most = retried().filter(QueueTotals::mayBeRetried).count();
        if (figures.retried() < least || figures.retried() > most) {
            found.add("its messages were given back %d to %d times, and it says %s".formatted(least, most, figures));
        }
        return found;
    }

    private void cameIn(QueueFigures figures, List<String> found) {
        long accepted =
                stories.stream().filter(story -> story.created().isPresent()).count();
        if (figures.in() < accepted) {
            found.add("it accepted %d messages and took in %d".formatted(accepted, figures.in()));
        }
        long sends = stories.stream()
                .mapToLong(story -> refs(story.sends.stream()).count())
                .sum();
        long redrives = stories.stream()
                .mapToLong(story -> refs(story.redrives().stream()
                                .filter(noted -> noted.fact().commit() instanceof Redrive redrive
                                        && redrive.deadLetters().equals(queue.deadLetters())))
                        .filter(ref -> story.answers(ref).allMatch(Outcome.Changed.class::isInstance))
                        .count())
                .sum();
        if (figures.in() > sends + redrives) {
            found.add("%d sends and %d redrives were asked for, and it took in %d"
                    .formatted(sends, redrives, figures.in()));
        }
    }

    private static Stream<CommitRef> refs(Stream<Noted<Fact.Asked>> asked) {
        return asked.map(noted -> noted.fact().ref()).distinct();
    }

    /** What was told done or discarded is gone, and cannot expire any more. */
    private boolean mayHaveExpired(MessageStory story) {
        return story.atTheEnd.isEmpty()
                && story.mayHaveExpired(trace, trace.all().size() - 1)
                && story.answered.stream().noneMatch(noted -> isGone(noted.fact()));
    }

    private static boolean isGone(Fact.Answered answered) {
        return (answered.commit() instanceof Discard && answered.outcome() instanceof Outcome.Changed)
                || (answered.outcome() instanceof Outcome.Settled settled
                        && (settled.fate() == Fate.DONE || settled.fate() == Fate.DROPPED));
    }

    /** How often a settlement was told to have given a message up to these dead letters. */
    private long givenUp() {
        return stories.stream()
                .mapToLong(story -> story.answered.stream()
                        .filter(noted -> fate(noted.fact().outcome())
                                .filter(Fate.DEAD_LETTERED::equals)
                                .isPresent())
                        .filter(noted -> noted.fact().commit() instanceof Settle settle
                                && givenFrom(story, settle.receipt())
                                        .filter(from -> !from.holdsDeadLetters()
                                                && from.deadLetters().equals(queue))
                                        .isPresent())
                        .map(noted -> noted.fact().ref())
                        .distinct()
                        .count())
                .sum();
    }

    private record GivenBack(MessageStory story, CommitRef ref) {}

    /** The commits that would give a message of this queue back for another delivery. */
    private Stream<GivenBack> retried() {
        return stories.stream()
                .flatMap(story -> story.asked.stream()
                        .filter(noted -> noted.fact().commit() instanceof Settle settle
                                && settle.verdict() instanceof Verdict.Retry
                                && givenFrom(story, settle.receipt())
                                        .filter(queue::equals)
                                        .isPresent())
                        .map(noted -> new GivenBack(story, noted.fact().ref())))
                .distinct();
    }

    private static boolean wasRetried(GivenBack back) {
        return back.story().answers(back.ref()).anyMatch(QueueTotals::isRetried);
    }

    private static boolean mayBeRetried(GivenBack back) {
        return back.story().answers(back.ref()).allMatch(QueueTotals::isRetried);
    }

    private static boolean isRetried(Outcome outcome) {
        return fate(outcome).filter(Fate.RETRIED::equals).isPresent();
    }

    private static Optional<Fate> fate(Outcome outcome) {
        return outcome instanceof Outcome.Settled settled ? Optional.of(settled.fate()) : Optional.empty();
    }

    /** The queue that a receipt is from. */
    private static Optional<QueueName> givenFrom(MessageStory story, Receipt receipt) {
        return story.deliveries.stream()
                .map(noted -> noted.fact().delivery())
                .filter(delivery -> delivery.receipt().equals(receipt))
                .map(delivery -> delivery.message().queue())
                .findFirst();
    }
}
