package io.perdure.testkit.queue;

import io.perdure.core.store.Commit;
import io.perdure.core.store.Lease;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Redrive;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Refusal;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.DeadLetter;
import io.perdure.sdk.queue.DeadLetter.Reason;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.SentMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How what a thread asked and was answered is written in a journal, and read from it: words between blanks. */
final class Lines {
    private static final String NONE = "-";

    private Lines() {}

    static String of(Commit commit) {
        return switch (commit) {
            case Send send ->
                "send "
                        + String.join(
                                " ",
                                send.messages().stream()
                                        .map(message -> "%s,%s,%s"
                                                .formatted(
                                                        message.id(),
                                                        message.body().text(),
                                                        Objects.requireNonNull(message.group())))
                                        .toList());
            case Settle settle -> "settle %s %s".formatted(settle.receipt(), of(settle.verdict()));
            case Redrive redrive -> "redrive %s".formatted(redrive.message());
            default -> throw new IllegalArgumentException("no traffic of groups has " + commit);
        };
    }

    private static String of(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Done() -> "done";
            case Verdict.Release() -> "release";
            case Verdict.Reject(String error) -> "reject " + error;
            case Verdict.Retry(Duration delay, String error) -> "retry %s %s".formatted(error, delay);
        };
    }

    static Commit commit(List<String> words) {
        return switch (words.getFirst()) {
            case "send" ->
                new Send(
                        GroupTraffic.TENANT,
                        words.stream().skip(1).map(Lines::message).toList());
            case "settle" ->
                new Settle(GroupTraffic.TENANT, Receipt.parse(words.get(1)), verdict(words.subList(2, words.size())));
            case "redrive" -> new Redrive(GroupTraffic.TENANT, GroupTraffic.LETTERS, MessageId.parse(words.get(1)));
            default -> throw new IllegalArgumentException("not a commit: " + words);
        };
    }

    private static NewMessage message(String text) {
        List<String> parts = Arrays.asList(text.split(","));
        return GroupTraffic.message(MessageId.parse(parts.get(0)), Long.parseLong(parts.get(1)), parts.get(2));
    }

    private static Verdict verdict(List<String> words) {
        return switch (words.getFirst()) {
            case "done" -> new Verdict.Done();
            case "release" -> new Verdict.Release();
            case "reject" -> new Verdict.Reject(words.get(1));
            case "retry" -> new Verdict.Retry(Duration.parse(words.get(2)), words.get(1));
            default -> throw new IllegalArgumentException("not a verdict: " + words);
        };
    }

    static String of(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Sent sent ->
                "sent "
                        + String.join(
                                " ",
                                sent.messages().stream()
                                        .map(message -> message.id() + "," + message.created())
                                        .toList());
            case Outcome.Settled settled -> "settled " + settled.fate();
            case Outcome.LeaseLost _ -> "lost";
            case Outcome.Changed(int count) -> "changed " + count;
            case Outcome.Refused refused -> "refused " + refused.why();
            default -> throw new IllegalArgumentException("no traffic of groups is answered " + outcome);
        };
    }

    static Outcome outcome(List<String> words) {
        return switch (words.getFirst()) {
            case "sent" ->
                new Outcome.Sent(words.stream()
                        .skip(1)
                        .map(word -> Arrays.asList(word.split(",")))
                        .map(parts ->
                                new SentMessage(MessageId.parse(parts.get(0)), Boolean.parseBoolean(parts.get(1))))
                        .toList());
            case "settled" -> new Outcome.Settled(Fate.valueOf(words.get(1)));
            case "lost" -> new Outcome.LeaseLost(null);
            case "changed" -> new Outcome.Changed(Integer.parseInt(words.get(1)));
            case "refused" -> new Outcome.Refused(Refusal.valueOf(words.get(1)), "");
            default -> throw new IllegalArgumentException("not an outcome: " + words);
        };
    }

    static String of(Receive request) {
        return "%s %s %s"
                .formatted(request.queue(), request.max(), request.lease().token());
    }

    static Receive receive(List<String> words) {
        return new Receive(
                GroupTraffic.TENANT,
                new QueueName(words.get(0)),
                Integer.parseInt(words.get(1)),
                new Lease(UUID.fromString(words.get(2)), GroupTraffic.LEASE));
    }

    static String of(MessageRow row) {
        List<String> words = new ArrayList<>(List.of(
                row.id().toString(),
                row.queue().value(),
                row.body().text(),
                Objects.requireNonNull(row.group()).value(),
                headers(row.headers()),
                Long.toString(row.groupSeq()),
                of(row.sentAt()),
                of(row.readyAt()),
                of(row.expiresAt()),
                Integer.toString(row.deliveries()),
                Integer.toString(row.earlierDeliveries()),
                of(row.firstDelivered()),
                of(row.lastDelivered()),
                Objects.requireNonNullElse(row.lastError(), NONE)));
        DeadLetter letter = row.deadLetter();
        if (letter != null) {
            words.addAll(List.of(letter.reason().name(), of(letter.at()), Integer.toString(letter.deliveries())));
        }
        return String.join(" ", words);
    }

    static MessageRow row(List<String> words) {
        return new MessageRow(
                MessageId.parse(words.get(0)),
                new QueueName(words.get(1)),
                Json.of(words.get(2)),
                headers(words.get(4)),
                new GroupKey(words.get(3)),
                Long.parseLong(words.get(5)),
                time(words.get(6)),
                time(words.get(7)),
                time(words.get(8)),
                true,
                Integer.parseInt(words.get(9)),
                Integer.parseInt(words.get(10)),
                words.get(11).equals(NONE) ? null : time(words.get(11)),
                words.get(12).equals(NONE) ? null : time(words.get(12)),
                words.get(13).equals(NONE) ? null : words.get(13),
                words.size() > 14
                        ? new DeadLetter(
                                GroupTraffic.QUEUE,
                                Reason.valueOf(words.get(14)),
                                time(words.get(15)),
                                Integer.parseInt(words.get(16)))
                        : null);
    }

    private static String headers(Map<String, String> headers) {
        return headers.isEmpty()
                ? NONE
                : headers.entrySet().stream()
                        .map(header -> header.getKey() + "=" + header.getValue())
                        .collect(Collectors.joining(","));
    }

    private static Map<String, String> headers(String word) {
        return word.equals(NONE)
                ? Map.of()
                : Arrays.stream(word.split(",", -1))
                        .map(header -> header.split("=", -1))
                        .collect(Collectors.toMap(header -> header[0], header -> header[1]));
    }

    static String of(@Nullable Instant time) {
        return time == null ? NONE : time.toString();
    }

    static Instant time(String word) {
        return Instant.parse(word);
    }
}
