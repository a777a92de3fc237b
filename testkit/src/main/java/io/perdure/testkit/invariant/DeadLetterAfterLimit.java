package io.perdure.testkit.invariant;

import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.sdk.queue.DeadLetter;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.QueueSettings;
import java.util.List;
import java.util.Optional;

/**
 * Invariant 15. No message is delivered more often than its queue allows, none is given up before unless it was rejected, a dead
 * letter says why, and body and deliveries survive a redrive.
 */
final class DeadLetterAfterLimit extends Rule {
    DeadLetterAfterLimit() {
        super(
                15,
                "Dead-lettered after exactly the configured deliveries, with the reason; redrive keeps the body and its"
                        + " history of attempts.");
    }

    @Override
    void look(Trace trace, Findings findings) {
        int end = trace.lastLook().orElse(0);
        for (MessageStory story : trace.messages().values()) {
            Optional<Integer> limit = story.queue()
                    .flatMap(queue -> trace.settings(story.key.tenant(), queue))
                    .map(QueueSettings::deliveries);
            for (Noted<Fact.MessageDelivered> noted : story.deliveries) {
                MessageRow row = noted.fact().delivery().message();
                row(trace, story, row, findings, noted.position());
                counts(trace, story, row, findings, noted.position());
                limit.filter(most -> !row.queue().holdsDeadLetters() && row.deliveries() > most)
                        .ifPresent(most -> findings.add(
                                story.key,
                                noted.position(),
                                "it was delivered %d times of at most %d".formatted(row.deliveries(), most)));
            }
            for (MessageRow row : story.atTheEnd) {
                row(trace, story, row, findings, end);
                counts(trace, story, row, findings, end);
            }
            limit.ifPresent(most -> retries(story, most, findings));
        }
    }

    private static void row(Trace trace, MessageStory story, MessageRow row, Findings findings, int position) {
        story.sent()
                .filter(sent ->
                        !sent.body().equals(row.body()) || !sent.headers().equals(row.headers()))
                .ifPresent(sent -> findings.add(
                        story.key,
                        position,
                        "it was sent as %s %s, and is now %s %s"
                                .formatted(sent.body(), sent.headers(), row.body(), row.headers())));
        if (row.queue().holdsDeadLetters()) {
            deadLetter(trace, story, row, position, findings);
        }
    }

    /**
     * A message counts its deliveries from its own queue, those before its redrives too, and none that was released. It may
     * also have been given to somebody who never got the answer.
     */
    private static void counts(Trace trace, MessageStory story, MessageRow row, Findings findings, int position) {
        List<Noted<Fact.MessageDelivered>> seen = story.deliveries.stream()
                .filter(noted -> noted.since() < position || noted.position() == position)
                .filter(noted -> !noted.fact().delivery().message().queue().holdsDeadLetters())
                .toList();
        long least = seen.stream()
                .filter(noted -> noted.position() <= position)
                .filter(noted -> !story.mayBeReleased(noted, position))
                .count();
        long most = seen.stream()
                .filter(noted -> !story.wasReleased(noted, position))
                .count();
        long unheardOf = story.queue()
                .map(queue -> trace.lostReceives(story.key.tenant(), queue, story.firstAsked(), position))
                .orElse(0L);
        DeadLetter letter = row.deadLetter();
        int latest = letter == null ? row.deliveries() : letter.deliveries();
        int counted = latest + row.earlierDeliveries();
        if (counted < least || (counted > most + unheardOf)) {
            findings.add(
                    story.key,
                    position,
                    "it was delivered %d times, and says %d and %d before its redrive"
                            .formatted(most, latest, row.earlierDeliveries()));
        }
    }

    private static void deadLetter(Trace trace, MessageStory story, MessageRow row, int position, Findings findings) {
        DeadLetter letter = row.deadLetter();
        if (letter == null) {
            findings.add(story.key, position, "it is a dead letter without a reason");
            return;
        }
        boolean deliveriesLeft = trace.settings(story.key.tenant(), letter.origin())
                .filter(settings -> letter.deliveries() < settings.deliveries())
                .isPresent();
        boolean untrue = switch (letter.reason()) {
            case DELIVERIES_USED_UP -> deliveriesLeft;
            case REJECTED -> !mayHaveBeenRejected(trace, story, position);
        };
        if (untrue) {
            findings.add(
                    story.key,
                    position,
                    "it is a dead letter after %d deliveries because of %s, which is not so"
                            .formatted(letter.deliveries(), letter.reason()));
        }
    }

    /** Whether a reject was asked for since the last redrive that was told done, and not turned down as far as is known. */
    private static boolean mayHaveBeenRejected(Trace trace, MessageStory story, int position) {
        int came = Stay.of(trace, story).stream()
                .filter(stay -> stay.acknowledged() < position)
                .mapToInt(Stay::asked)
                .max()
                .orElse(0);
        return story.asked.stream()
                .filter(noted -> noted.position() < position
                        && trace.firstAsked(noted.fact().ref()) >= came)
                .anyMatch(noted -> noted.fact().commit() instanceof QueueCommit.Settle settle
                        && settle.verdict() instanceof Verdict.Reject
                        && story.answers(noted.fact().ref()).allMatch(Outcome.Settled.class::isInstance));
    }

    /** Giving a message back is a retry before its last delivery, and the end of it after. */
    private static void retries(MessageStory story, int limit, Findings findings) {
        for (Noted<Fact.Answered> noted : story.answered) {
            if (noted.fact().commit() instanceof QueueCommit.Settle settle
                    && settle.verdict() instanceof Verdict.Retry
                    && noted.fact().outcome() instanceof Outcome.Settled settled) {
                Fate fate = settled.fate();
                story.deliveries.stream()
                        .filter(delivery -> delivery.fact().delivery().receipt().equals(settle.receipt()))
                        .map(delivery -> delivery.fact().delivery().message())
                        .filter(row -> !row.queue().holdsDeadLetters())
                        .filter(row -> (row.deliveries() >= limit) == (fate == Fate.RETRIED))
                        .findFirst()
                        .ifPresent(row -> findings.add(
                                story.key,
                                noted.position(),
                                "given back after delivery %d of %d it was %s"
                                        .formatted(row.deliveries(), limit, fate)));
            }
        }
    }
}
