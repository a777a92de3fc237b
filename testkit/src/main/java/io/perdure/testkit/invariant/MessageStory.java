package io.perdure.testkit.invariant;

import io.perdure.core.store.Commit;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.RunCommit;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.queue.SentMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Everything that a trace tells of one message of a user, in order. */
final class MessageStory {
    final MessageKey key;
    final List<Noted<Fact.Asked>> sends = new ArrayList<>();
    final List<Noted<Fact.MessageDelivered>> deliveries = new ArrayList<>();
    final List<Noted<Fact.LeaseExtended>> extensions = new ArrayList<>();

    /** Settlements, discards and redrives of this message, as they were asked for. */
    final List<Noted<Fact.Asked>> asked = new ArrayList<>();

    /** The answers to {@link #asked}. */
    final List<Noted<Fact.Answered>> answered = new ArrayList<>();

    /** Where the last look found it. */
    final List<MessageRow> atTheEnd = new ArrayList<>();

    private @Nullable Noted<Fact.Answered> created;
    private @Nullable NewMessage sent;
    private boolean refused;

    private MessageStory(MessageKey key) {
        this.key = key;
    }

    /** The message as it was to be sent, if anybody asked for it. */
    Optional<NewMessage> sent() {
        return Optional.ofNullable(sent);
    }

    /** The answer that says the message is in its queue. */
    Optional<Noted<Fact.Answered>> created() {
        return Optional.ofNullable(created);
    }

    /** Whether every answer to its sending said that it was not sent. */
    boolean wasRefused() {
        return refused && created == null;
    }

    /** Whether something that takes it out of its queue, to the dead letters or for good, was asked for and not turned down. */
    boolean mayHaveLeft(int before) {
        return asked.stream().filter(noted -> noted.position() < before).anyMatch(this::mayTakeAway);
    }

    /** Whether a commit takes it out of its queue and, as far as is known, was not turned down. */
    boolean mayTakeAway(Noted<Fact.Asked> noted) {
        boolean takesAway = noted.fact().commit() instanceof QueueCommit.Discard
                || (noted.fact().commit() instanceof QueueCommit.Settle settle
                        && !(settle.verdict() instanceof QueueCommit.Verdict.Release));
        return takesAway && answers(noted.fact().ref()).allMatch(MessageStory::tookAway);
    }

    /** Whether something that leaves it nowhere at all was asked for and not turned down. */
    boolean mayBeGone(boolean deadLettersAreKept) {
        return asked.stream()
                .filter(noted -> switch (noted.fact().commit()) {
                    case QueueCommit.Settle settle ->
                        settle.verdict() instanceof QueueCommit.Verdict.Done || !deadLettersAreKept;
                    case QueueCommit.Discard _ -> true;
                    case RunCommit _ -> false;
                    case QueueCommit.Send _, QueueCommit.Redrive _, QueueCommit.Purge _ -> false;
                    case QueueCommit.Create _, QueueCommit.Update _, QueueCommit.Delete _ -> false;
                })
                .anyMatch(this::mayTakeAway);
    }

    /** The redrives that were asked for. */
    List<Noted<Fact.Asked>> redrives() {
        return asked.stream()
                .filter(noted -> noted.fact().commit() instanceof QueueCommit.Redrive)
                .toList();
    }

    /** Whether the answer to a delivery's settlement says that it was released: then it does not count. */
    boolean wasReleased(Noted<Fact.MessageDelivered> delivery, int before) {
        return answered.stream()
                .filter(noted -> noted.position() < before)
                .filter(noted -> isReleaseOf(noted.fact().commit(), delivery))
                .anyMatch(noted -> noted.fact().outcome() instanceof Outcome.Settled);
    }

    /** Whether a release of a delivery was asked for and, as far as is known, not turned down. */
    boolean mayBeReleased(Noted<Fact.MessageDelivered> delivery, int before) {
        return asked.stream()
                .filter(noted -> noted.position() < before)
                .filter(noted -> isReleaseOf(noted.fact().commit(), delivery))
                .anyMatch(noted -> answers(noted.fact().ref()).allMatch(Outcome.Settled.class::isInstance));
    }

    private static boolean isReleaseOf(Commit commit, Noted<Fact.MessageDelivered> delivery) {
        return commit instanceof QueueCommit.Settle settle
                && settle.verdict() instanceof QueueCommit.Verdict.Release
                && settle.receipt().equals(delivery.fact().delivery().receipt());
    }

    Stream<Outcome> answers(CommitRef ref) {
        return answered.stream()
                .filter(noted -> noted.fact().ref().equals(ref))
                .map(noted -> noted.fact().outcome());
    }

    private static boolean tookAway(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Settled settled ->
                switch (settled.fate()) {
                    case DONE, DEAD_LETTERED, DROPPED -> true;
                    case RETRIED, RELEASED -> false;
                };
            case Outcome.Applied _ -> true;
            case Outcome.Conflict _, Outcome.LeaseLost _, Outcome.Duplicate _, Outcome.Woken _, Outcome.Refused _ ->
                false;
        };
    }

    /**
     * Whether it may have outlived its retention by a place. A message is kept for so long from when it is ready: sent and
     * its delay over, given back and its delay over, redriven. The earliest of these, its send, is what is counted from here.
     */
    boolean mayHaveExpired(Trace trace, int position) {
        return sends.isEmpty()
                || queue().flatMap(queue -> trace.settings(key.tenant(), queue))
                        .map(settings -> shorter(settings.retention(), settings.deadLetterRetention()))
                        .map(kept -> !firstAskedAt().plus(kept).isAfter(trace.latestUpTo(position)))
                        .orElse(true);
    }

    /** Where its send was first asked for; the first place of all where nobody noted it. */
    int firstAsked() {
        return sends.stream().mapToInt(Noted::position).min().orElse(0);
    }

    /** The earliest time at which its send can have been applied. */
    Instant firstAskedAt() {
        return sends.stream().map(Noted::at).min(Comparator.naturalOrder()).orElse(Instant.MAX);
    }

    private static Duration shorter(Duration left, Duration right) {
        return left.compareTo(right) <= 0 ? left : right;
    }

    boolean wasSeen() {
        return !deliveries.isEmpty() || !atTheEnd.isEmpty();
    }

    /** The messages that leave with a commit. */
    static List<NewMessage> sends(Commit commit) {
        return switch (commit) {
            case QueueCommit.Send send -> send.messages();
            case QueueCommit.Settle settle -> settle.sends();
            case RunCommit.Advance advance -> advance.sends();
            case RunCommit.Start _, RunCommit.Intervene _, RunCommit.Signal _ -> List.of();
            case QueueCommit.Redrive _, QueueCommit.Discard _, QueueCommit.Purge _ -> List.of();
            case QueueCommit.Create _, QueueCommit.Update _, QueueCommit.Delete _ -> List.of();
        };
    }

    static Map<MessageKey, MessageStory> tell(Trace trace) {
        Map<MessageKey, MessageStory> stories = new LinkedHashMap<>();
        int lastLook = trace.lastLook().orElse(Integer.MAX_VALUE);
        commits(trace, stories);
        trace.only(Fact.MessageDelivered.class).forEach(noted -> {
            MessageId id = noted.fact().delivery().message().id();
            of(stories, new MessageKey(noted.fact().tenant(), id)).deliveries.add(noted);
        });
        trace.only(Fact.LeaseExtended.class).forEach(noted -> {
            MessageId id = noted.fact().request().receipt().message();
            MessageStory story =
                    stories.get(new MessageKey(noted.fact().request().tenant(), id));
            if (story != null) {
                story.extensions.add(noted);
            }
        });
        trace.only(Fact.QueueRead.class).stream()
                .filter(noted -> noted.position() > lastLook)
                .forEach(noted -> noted.fact()
                        .messages()
                        .forEach(row -> of(stories, new MessageKey(noted.fact().tenant(), row.id()))
                                .atTheEnd
                                .add(row)));
        if (!trace.skew().isZero()) {
            stories.values().forEach(MessageStory::orderByDelivery);
        }
        return stories;
    }

    /** Where many were watching, whoever was given it first may have told so last; the store knows. */
    private void orderByDelivery() {
        deliveries.sort(Comparator.comparing(
                noted -> noted.fact().delivery().message().lastDelivered(),
                Comparator.nullsFirst(Comparator.naturalOrder())));
    }

    private static void commits(Trace trace, Map<MessageKey, MessageStory> stories) {
        trace.only(Fact.Asked.class).forEach(noted -> {
            Commit commit = noted.fact().commit();
            for (NewMessage message : sends(commit)) {
                of(stories, new MessageKey(commit.tenant(), message.id())).ask(noted, message);
            }
            concerned(commit)
                    .ifPresent(id -> of(stories, new MessageKey(commit.tenant(), id))
                            .asked
                            .add(noted));
        });
        trace.only(Fact.Answered.class).forEach(noted -> {
            Commit commit = noted.fact().commit();
            List<NewMessage> sends = sends(commit);
            for (int index = 0; index < sends.size(); index++) {
                of(stories, new MessageKey(commit.tenant(), sends.get(index).id()))
                        .answerSend(noted, index);
            }
            concerned(commit)
                    .ifPresent(id -> of(stories, new MessageKey(commit.tenant(), id))
                            .answered
                            .add(noted));
        });
    }

    private static MessageStory of(Map<MessageKey, MessageStory> stories, MessageKey key) {
        return stories.computeIfAbsent(key, MessageStory::new);
    }

    /** The one message that a commit settles, discards or redrives. */
    static Optional<MessageId> concerned(Commit commit) {
        return switch (commit) {
            case QueueCommit.Settle settle -> Optional.of(settle.receipt().message());
            case QueueCommit.Discard discard -> Optional.of(discard.message());
            case QueueCommit.Redrive redrive -> Optional.of(redrive.message());
            case RunCommit _ -> Optional.empty();
            case QueueCommit.Send _, QueueCommit.Purge _ -> Optional.empty();
            case QueueCommit.Create _, QueueCommit.Update _, QueueCommit.Delete _ -> Optional.empty();
        };
    }

    private void ask(Noted<Fact.Asked> noted, NewMessage message) {
        sends.add(noted);
        sent = message;
    }

    private void answerSend(Noted<Fact.Answered> noted, int index) {
        List<SentMessage> answers = sent(noted.fact().outcome());
        if (index < answers.size() && answers.get(index).created()) {
            createdBy(noted);
        } else {
            refused = true;
        }
    }

    /** What an answer says of the messages that left with its commit. */
    static List<SentMessage> sent(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Sent sent -> sent.messages();
            case Outcome.Appended appended -> appended.sent();
            case Outcome.Settled settled -> settled.sent();
            case Outcome.Started _, Outcome.Signalled _, Outcome.Changed _ -> List.of();
            case Outcome.Conflict _, Outcome.LeaseLost _, Outcome.Duplicate _, Outcome.Woken _, Outcome.Refused _ ->
                List.of();
        };
    }

    private void createdBy(Noted<Fact.Answered> noted) {
        if (created == null) {
            created = noted;
        }
    }

    /** The queue that it was sent to. */
    Optional<QueueName> queue() {
        return sent().map(NewMessage::queue);
    }
}
