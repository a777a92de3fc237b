package io.perdure.testkit.invariant;

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

/**
 * Invariant 13. Of a group, nothing is delivered while something that came before it, or was delivered before it, is still in the
 * queue. What is redriven comes anew.
 */
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

    private record Turn(Stay stay, Noted<Fact.MessageDelivered> delivery) {
        MessageStory story() {
            return stay.story();
        }

        /** It came into its queue no earlier than this; where that is not known, when it was first sent. */
        int came() {
            return Stay.isUncertain(story(), delivery) ? story().firstAsked() : stay.asked();
        }

        long number() {
            return delivery.fact().delivery().message().groupSeq();
        }
    }

    private static void line(Trace trace, Group group, List<MessageStory> stories, Findings findings) {
        List<Stay> waiting = new ArrayList<>();
        List<Turn> turns = new ArrayList<>();
        for (MessageStory story : stories) {
            List<Stay> stays = Stay.of(trace, story);
            stays.stream().filter(Stay::isAcknowledged).forEach(waiting::add);
            story.deliveries.stream()
                    .filter(delivery ->
                            delivery.fact().delivery().message().queue().equals(group.queue()))
                    .forEach(delivery -> turns.add(new Turn(Stay.at(stays, delivery), delivery)));
        }
        // A stable sort: messages of one send keep the order they were given in.
        waiting.sort(Comparator.comparingInt(Stay::acknowledged));
        turns.sort(Comparator.comparingInt(turn -> turn.delivery().position()));
        for (int index = 0; index < turns.size(); index++) {
            Turn turn = turns.get(index);
            int position = turn.delivery().position();
            ahead(trace, waiting, turn)
                    .ifPresent(other -> findings.add(
                            group,
                            position,
                            "%s was delivered before %s, which was sent first".formatted(turn.story().key, other.key)));
            if (index > 0 && isStillThere(trace, turns.get(index - 1), turn)) {
                findings.add(
                        group,
                        position,
                        "%s was delivered while %s was not settled"
                                .formatted(
                                        turn.story().key, turns.get(index - 1).story().key));
            }
            overtaken(trace, turns.subList(index + 1, turns.size()), turn)
                    .ifPresent(other -> findings.add(
                            group,
                            position,
                            "%s was delivered as number %d of its group before %s, which is number %d"
                                    .formatted(turn.story().key, turn.number(), other.story().key, other.number())));
        }
    }

    /** Where the two receives were under way together, either may have been first: then neither can have left before the other. */
    private static boolean isStillThere(Trace trace, Turn last, Turn turn) {
        int position = last.delivery().position();
        return last.story() != turn.story()
                && !Stay.isUncertain(last.story(), turn.delivery())
                && !last.stay().mayHaveLeft(trace, turn.delivery().position())
                && (turn.delivery().since() > position || !turn.stay().mayHaveLeft(trace, position));
    }

    /** What had come before this one was sent or redriven, or stood before it in the same send, and is still there. */
    private static Optional<MessageStory> ahead(Trace trace, List<Stay> waiting, Turn turn) {
        int came = turn.came();
        Iterator<Stay> line = waiting.iterator();
        while (line.hasNext()) {
            Stay other = line.next();
            boolean sameSend =
                    other.by() != null && other.by().equals(turn.stay().by());
            if (other.equals(turn.stay())) {
                return Optional.empty();
            }
            if (other.story() == turn.story() || (other.acknowledged() >= came && !sameSend)) {
                continue;
            }
            if (!other.mayHaveLeft(trace, turn.delivery().position())) {
                return Optional.of(other.story());
            }
            line.remove();
        }
        return Optional.empty();
    }

    /**
     * Of two sends that were under way together the store says which was first, by the number in the group, which no two have at
     * once. Whoever was there when this one was delivered, and comes later, has a higher one.
     */
    private static Optional<Turn> overtaken(Trace trace, List<Turn> later, Turn turn) {
        int position = turn.delivery().position();
        return later.stream()
                .filter(other -> other.story() != turn.story() && other.number() <= turn.number())
                .filter(other -> other.stay().acknowledged() < turn.delivery().since())
                .filter(other -> !Stay.isUncertain(other.story(), other.delivery()))
                .filter(other ->
                        other.delivery().since() > position || !other.stay().mayHaveLeft(trace, position))
                .findFirst();
    }
}
