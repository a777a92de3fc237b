package io.perdure.testkit.invariant;

import io.perdure.core.store.Extended;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.Received.Delivery;
import io.perdure.sdk.queue.QueueSettings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A message's time in the queue that it was sent to, until it is given up or gone: one stay since it was sent, another since each
 * redrive that was told done.
 *
 * @param by the commit that brought it, where its answer is known
 * @param asked where that commit was first asked for: it did not come before
 * @param acknowledged where that commit was told done: it had come by then
 */
record Stay(MessageStory story, @Nullable CommitRef by, int asked, int acknowledged) {
    /** The stays of a message that are known, in their order; the first is there even if nobody told that it began. */
    static List<Stay> of(Trace trace, MessageStory story) {
        List<Stay> stays = new ArrayList<>();
        Optional<Noted<Fact.Answered>> created = story.created();
        stays.add(new Stay(
                story,
                created.map(noted -> noted.fact().ref()).orElse(null),
                story.firstAsked(),
                created.map(Noted::position).orElse(Integer.MAX_VALUE)));
        story.redrives().stream()
                .map(noted -> noted.fact().ref())
                .distinct()
                .flatMap(ref -> redriven(story, ref).stream()
                        .map(noted -> new Stay(story, ref, trace.firstAsked(ref), noted.position())))
                .forEach(stays::add);
        return stays;
    }

    private static Optional<Noted<Fact.Answered>> redriven(MessageStory story, CommitRef ref) {
        return story.answered.stream()
                .filter(noted -> noted.fact().ref().equals(ref))
                .filter(noted -> noted.fact().outcome() instanceof Outcome.Changed)
                .findFirst();
    }

    boolean isAcknowledged() {
        return acknowledged < Integer.MAX_VALUE;
    }

    /** The stay that a delivery belongs to: the last that was told before the receive began. */
    static Stay at(List<Stay> stays, Noted<Fact.MessageDelivered> delivery) {
        return stays.stream()
                .filter(stay -> stay.acknowledged() < delivery.since())
                .reduce((_, later) -> later)
                .orElse(stays.getFirst());
    }

    /** Whether a redrive was asked for whose answer had not come before a receive began: then nobody knows which stay it was. */
    static boolean isUncertain(MessageStory story, Noted<Fact.MessageDelivered> delivery) {
        return story.redrives().stream()
                .filter(noted -> noted.position() < delivery.position())
                .anyMatch(noted -> story.answered.stream()
                        .filter(answer ->
                                answer.fact().ref().equals(noted.fact().ref()))
                        .noneMatch(answer -> answer.position() < delivery.since()));
    }

    /** Whether the message can have left by a place: settled, discarded, given up by a receive, or expired. */
    boolean mayHaveLeft(Trace trace, int position) {
        return mayHaveBeenGivenUp(trace, position)
                || story.asked.stream()
                        .filter(noted -> noted.position() < position)
                        .filter(noted -> trace.firstAsked(noted.fact().ref()) > asked)
                        .anyMatch(noted -> mayBeRedriven(noted) || story.mayTakeAway(noted))
                || story.mayHaveExpired(trace, position);
    }

    /** What is redriven was a dead letter; a redrive that was turned down says nothing of the kind. */
    private boolean mayBeRedriven(Noted<Fact.Asked> noted) {
        return noted.fact().commit() instanceof QueueCommit.Redrive
                && story.answers(noted.fact().ref()).allMatch(Outcome.Changed.class::isInstance);
    }

    /** Whether a receive may have found its deliveries used up: the last of them, as far as is known, is not in hand any more. */
    private boolean mayHaveBeenGivenUp(Trace trace, int before) {
        List<Noted<Fact.MessageDelivered>> known = story.deliveries.stream()
                .filter(delivery -> delivery.position() > asked && delivery.position() < before)
                .filter(delivery ->
                        !delivery.fact().delivery().message().queue().holdsDeadLetters())
                .filter(delivery -> !story.wasReleased(delivery, before))
                .toList();
        long unheardOf = story.queue()
                .map(queue -> trace.lostReceivesThatMayHaveEnded(story.key.tenant(), queue, asked, before))
                .orElse(0L);
        return known.size() + unheardOf >= limit(trace)
                && (known.isEmpty() || !isInHand(trace, known.getLast(), before));
    }

    /** Whether a delivery was not settled, and its lease lasts. */
    private boolean isInHand(Trace trace, Noted<Fact.MessageDelivered> delivery, int before) {
        Delivery given = delivery.fact().delivery();
        // What extends a lease may also shorten it.
        Stream<Instant> ends = Stream.concat(
                Stream.of(given.message().readyAt()),
                story.extensions.stream()
                        .filter(noted -> noted.fact().request().receipt().equals(given.receipt()))
                        .flatMap(noted -> noted.fact().answer() instanceof Extended.Until(Instant time)
                                ? Stream.of(time)
                                : Stream.empty()));
        return ends.noneMatch(end -> trace.mayHaveCome(end, before))
                && !trace.wentBack(delivery.since(), before)
                && story.asked.stream()
                        .filter(noted -> noted.position() < before)
                        .noneMatch(noted -> noted.fact().commit() instanceof QueueCommit.Settle settle
                                && settle.receipt().equals(given.receipt()));
    }

    private int limit(Trace trace) {
        return story.queue()
                .flatMap(queue -> trace.settings(story.key.tenant(), queue))
                .map(QueueSettings::deliveries)
                .orElse(0);
    }
}
