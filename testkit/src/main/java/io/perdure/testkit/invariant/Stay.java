package io.perdure.testkit.invariant;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.QueueSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
        int sent = story.sends.stream().mapToInt(Noted::position).min().orElse(0);
        Optional<Noted<Fact.Answered>> created = story.created();
        stays.add(new Stay(
                story,
                created.map(noted -> noted.fact().ref()).orElse(null),
                sent,
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
        return deliveries(trace, position) >= limit(trace)
                || story.asked.stream()
                        .filter(noted -> noted.position() < position)
                        .filter(noted -> trace.firstAsked(noted.fact().ref()) > asked)
                        .anyMatch(noted -> isRedrive(noted) || story.mayTakeAway(noted))
                || story.mayHaveExpired(trace, position);
    }

    /** A redrive was asked for by somebody who saw it among the dead letters. */
    private static boolean isRedrive(Noted<Fact.Asked> noted) {
        return noted.fact().commit() instanceof QueueCommit.Redrive;
    }

    private long deliveries(Trace trace, int before) {
        long unheardOf = story.queue()
                .map(queue -> trace.lostReceives(story.key.tenant(), queue, asked, before))
                .orElse(0L);
        return unheardOf
                + story.deliveries.stream()
                        .filter(delivery -> delivery.position() > asked && delivery.position() < before)
                        .filter(delivery ->
                                !delivery.fact().delivery().message().queue().holdsDeadLetters())
                        .filter(delivery -> !story.wasReleased(delivery, before))
                        .count();
    }

    private int limit(Trace trace) {
        return story.queue()
                .flatMap(queue -> trace.settings(story.key.tenant(), queue))
                .map(QueueSettings::deliveries)
                .orElse(0);
    }
}
