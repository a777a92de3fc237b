package io.perdure.testkit.invariant;

import io.perdure.core.store.MessageRow;
import io.perdure.core.store.QueueCommit;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.queue.QueueFigures;
import io.perdure.sdk.queue.QueueSettings;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Invariant 12. Figures add up in every read, no message is in two places, and none that was accepted is nowhere without a reason. */
final class MessageConservation extends Rule {
    MessageConservation() {
        super(12, "A message is in exactly one of delayed, ready, leased, dead-lettered, done; totals conserve.");
    }

    @Override
    void look(Trace trace, Findings findings) {
        trace.only(Fact.QueueRead.class).forEach(read -> {
            figures(read, findings);
            places(trace, read, findings);
        });
        trace.lastLook().ifPresent(position -> {
            Set<QueueKey> purged = purged(trace);
            for (MessageStory story : trace.messages().values()) {
                if (story.atTheEnd.size() > 1) {
                    List<QueueName> queues =
                            story.atTheEnd.stream().map(MessageRow::queue).toList();
                    findings.add(story.key, position, "it is in %s at once".formatted(queues));
                }
                if (story.created().isPresent()
                        && story.atTheEnd.isEmpty()
                        && !explained(trace, story, purged, position)) {
                    findings.add(story.key, position, "it was accepted, never settled, and is nowhere");
                }
            }
            totals(trace, position, findings);
        });
    }

    private static void figures(Noted<Fact.QueueRead> read, Findings findings) {
        QueueFigures figures = read.fact().figures();
        long accounted = figures.ready()
                + figures.delayed()
                + figures.leased()
                + figures.out()
                + figures.deadLettered()
                + figures.expired();
        List<MessageRow> rows = read.fact().messages();
        long leased = rows.stream().filter(MessageRow::leased).count();
        if (figures.in() != accounted) {
            findings.add(read.fact().queue(), read.position(), "%d came in, %s".formatted(figures.in(), figures));
        }
        if (rows.size() != figures.ready() + figures.delayed() + figures.leased() || leased != figures.leased()) {
            findings.add(
                    read.fact().queue(),
                    read.position(),
                    "it holds %d messages, %d leased, and says %s".formatted(rows.size(), leased, figures));
        }
        Set<MessageId> ids = new HashSet<>();
        rows.stream()
                .filter(row -> !ids.add(row.id()))
                .forEach(row -> findings.add(
                        new MessageKey(read.fact().tenant(), row.id()),
                        read.position(),
                        "it is in %s twice".formatted(row.queue())));
    }

    /**
     * Where the messages are, by their own rows. While the clock shows the latest time that it ever did, no lease ends too far ahead
     * to count and no message was sent in the future, so that time alone tells ready from delayed.
     */
    private static void places(Trace trace, Noted<Fact.QueueRead> read, Findings findings) {
        if (!trace.skew().isZero() || trace.latestUpTo(read.position()).isAfter(read.at())) {
            return;
        }
        QueueFigures figures = read.fact().figures();
        List<Instant> free = read.fact().messages().stream()
                .filter(row -> !row.leased())
                .map(MessageRow::readyAt)
                .sorted()
                .toList();
        long delayed = free.stream().filter(read.at()::isBefore).count();
        Instant oldest = delayed == free.size() ? null : free.getFirst();
        if (figures.delayed() != delayed || !Objects.equals(figures.oldest(), oldest)) {
            findings.add(
                    read.fact().queue(),
                    read.position(),
                    "%d of its messages are delayed, the oldest is ready since %s, and it says %s"
                            .formatted(delayed, oldest, figures));
        }
    }

    private static Set<QueueKey> purged(Trace trace) {
        Set<QueueKey> purged = new HashSet<>();
        trace.only(Fact.Asked.class).forEach(noted -> {
            if (noted.fact().commit() instanceof QueueCommit.Purge purge) {
                purged.add(new QueueKey(purge.tenant(), purge.queue()));
            }
        });
        return purged;
    }

    private static boolean explained(Trace trace, MessageStory story, Set<QueueKey> purged, int position) {
        boolean kept = story.queue()
                .flatMap(queue -> trace.settings(story.key.tenant(), queue))
                .map(QueueSettings::deadLetters)
                .orElse(true);
        // Where no dead letters are kept, whoever finds the deliveries used up drops the message without a word.
        boolean dropped = !kept
                && (!story.deliveries.isEmpty()
                        || story.queue()
                                .filter(queue ->
                                        trace.lostReceives(story.key.tenant(), queue, story.firstAsked(), position) > 0)
                                .isPresent());
        return dropped
                || story.mayBeGone(kept)
                || story.mayHaveExpired(trace, position)
                || story.queue()
                        .filter(queue -> purged.contains(new QueueKey(story.key.tenant(), queue))
                                || purged.contains(new QueueKey(story.key.tenant(), queue.deadLetters())))
                        .isPresent();
    }

    /** What each queue says at the end, held against what was asked of it, and against what its dead letters say. */
    private static void totals(Trace trace, int position, Findings findings) {
        Map<QueueKey, QueueFigures> said = new LinkedHashMap<>();
        trace.only(Fact.QueueRead.class).stream()
                .filter(read -> read.position() > position)
                .forEach(read -> said.put(
                        new QueueKey(read.fact().tenant(), read.fact().queue()),
                        read.fact().figures()));
        said.forEach((queue, figures) -> {
            QueueTotals totals = new QueueTotals(trace, queue);
            totals.contradictions(figures).forEach(how -> findings.add(queue, position, how));
        });
        said.forEach((queue, figures) -> {
            QueueFigures letters = queue.queue().holdsDeadLetters()
                    ? null
                    : said.get(new QueueKey(queue.tenant(), queue.queue().deadLetters()));
            if (letters != null && letters.in() > figures.deadLettered()) {
                findings.add(
                        queue,
                        position,
                        "it gave up %d messages, and %d came among its dead letters"
                                .formatted(figures.deadLettered(), letters.in()));
            }
        });
    }
}
