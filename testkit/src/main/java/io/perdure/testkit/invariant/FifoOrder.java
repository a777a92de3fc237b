package io.perdure.testkit.invariant;

import io.perdure.core.store.NewMessage;
import io.perdure.core.store.QueueSettings;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Invariant 13. Of a group, nothing is delivered while something sent before it, or delivered before it, is still in the queue. */
final class FifoOrder extends Rule {
    FifoOrder() {
        super(
                13,
                "Within a FIFO group: delivery in commit order, one at a time; a dead-lettered head unblocks its group.");
    }

    private record Group(TenantId tenant, QueueName queue, GroupKey key) {
        @Override
        public String toString() {
            return "group " + tenant + "/" + queue + "/" + key;
        }
    }

    @Override
    void look(Trace trace, Findings findings) {
        Map<Group, List<MessageStory>> lines = new HashMap<>();
        for (MessageStory story : trace.messages().values()) {
            group(story)
                    .ifPresent(group ->
                            lines.computeIfAbsent(group, _ -> new ArrayList<>()).add(story));
        }
        lines.forEach((group, stories) -> line(trace, group, stories, findings));
    }

    private static Optional<Group> group(MessageStory story) {
        return story.sent()
                .flatMap(sent -> Optional.ofNullable(sent.group())
                        .map(group -> new Group(story.key.tenant(), sent.queue(), group)));
    }

    private record Turn(MessageStory story, Noted<Fact.MessageDelivered> delivery) {}

    private static void line(Trace trace, Group group, List<MessageStory> stories, Findings findings) {
        // A stable sort: messages of one send keep the order they were given in.
        List<MessageStory> waiting = new ArrayList<>(stories.stream()
                .filter(story -> story.created().isPresent())
                .sorted(Comparator.comparingInt(FifoOrder::acknowledged))
                .toList());
        List<Turn> turns = stories.stream()
                .flatMap(story -> story.deliveries.stream()
                        .filter(delivery ->
                                delivery.fact().delivery().message().queue().equals(group.queue()))
                        .map(delivery -> new Turn(story, delivery)))
                .sorted(Comparator.comparingInt(turn -> turn.delivery().position()))
                .toList();
        Turn last = null;
        for (Turn turn : turns) {
            ahead(trace, waiting, turn)
                    .ifPresent(other -> findings.add(
                            group,
                            turn.delivery().position(),
                            "%s was delivered before %s, which was sent first".formatted(turn.story().key, other.key)));
            if (last != null && last.story() != turn.story() && !mayHaveLeft(trace, last.story(), turn)) {
                findings.add(
                        group,
                        turn.delivery().position(),
                        "%s was delivered while %s was not settled".formatted(turn.story().key, last.story().key));
            }
            last = turn;
        }
    }

    private static int acknowledged(MessageStory story) {
        return story.created().map(Noted::position).orElse(Integer.MAX_VALUE);
    }

    /** What was acknowledged before this one was first sent, or stood before it in the same send, and is still there. */
    private static Optional<MessageStory> ahead(Trace trace, List<MessageStory> waiting, Turn turn) {
        int sent = turn.story().sends.stream().mapToInt(Noted::position).min().orElse(0);
        @Nullable
        CommitRef ref = turn.story().created().map(noted -> noted.fact().ref()).orElse(null);
        Iterator<MessageStory> line = waiting.iterator();
        while (line.hasNext()) {
            MessageStory other = line.next();
            boolean sameSend = other.created()
                    .filter(noted -> noted.fact().ref().equals(ref))
                    .isPresent();
            if (other == turn.story() || (acknowledged(other) >= sent && !sameSend)) {
                return Optional.empty();
            }
            if (!mayHaveLeft(trace, other, turn)) {
                return Optional.of(other);
            }
            line.remove();
        }
        return Optional.empty();
    }

    private static boolean mayHaveLeft(Trace trace, MessageStory story, Turn turn) {
        int position = turn.delivery().position();
        long delivered = story.deliveries.stream()
                .filter(delivery -> delivery.position() < position)
                .count();
        int limit = story.sent()
                .map(NewMessage::queue)
                .flatMap(queue -> trace.settings(story.key.tenant(), queue))
                .map(QueueSettings::deliveries)
                .orElse(0);
        return delivered >= limit
                || story.mayHaveLeft(position)
                || story.wasRedriven(position)
                || story.mayHaveExpired(trace, position);
    }
}
