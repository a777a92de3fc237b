package io.perdure.client;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonArray;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.Sending;
import io.perdure.sdk.queue.SentMessage;
import io.perdure.sdk.wire.FieldReader;
import io.perdure.sdk.wire.QueueJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Sends messages. What is sent to a queue at the same time shares requests, and comes there in the order it was sent. */
final class RemoteSends {
    private static final Limits.Queues LIMITS = Limits.defaults().queues();
    private static final Gathering.Bound AT_ONCE = new Gathering.Bound(LIMITS.batchMessages(), LIMITS.batchBytes());

    private final Calls calls;
    private final Map<QueueName, Gathering<Send, List<SentMessage>>> queues = new ConcurrentHashMap<>();

    RemoteSends(Calls calls) {
        this.calls = calls;
    }

    /** The messages of one send, as they are and as they are written. */
    private record Send(List<Outgoing> messages, List<Json> written) {
        int bytes() {
            return written.stream().mapToInt(Json::bytes).sum();
        }
    }

    Sending send(QueueName queue, List<Outgoing> messages) {
        calls.requireOpen();
        List<Outgoing> all = List.copyOf(messages);
        if (all.isEmpty()) {
            return new Sending(List::of, () -> true);
        }
        Later<List<SentMessage>> sent = queues.computeIfAbsent(queue, this::gathering)
                .hand(new Send(all, all.stream().map(QueueJson::write).toList()));
        return new Sending(sent::await, sent::isDone);
    }

    private Gathering<Send, List<SentMessage>> gathering(QueueName queue) {
        return new Gathering<>(
                calls,
                "perdure-send",
                AT_ONCE,
                send -> send.messages().size(),
                Send::bytes,
                sends -> send(Paths.queue(queue) + "/messages", sends));
    }

    private List<List<SentMessage>> send(String path, List<Send> sends) {
        List<Outgoing> messages =
                sends.stream().flatMap(send -> send.messages().stream()).toList();
        Json body = JsonArray.of(
                sends.stream().flatMap(send -> send.written().stream()).toList());
        List<SentMessage> sent = sent(
                messages,
                calls.ask(
                        calls.repeatable("POST", path, body),
                        answer -> FieldReader.of(answer).list("messages", QueueJson::sent)));
        List<List<SentMessage>> each = new ArrayList<>();
        int from = 0;
        for (Send send : sends) {
            int to = from + send.messages().size();
            each.add(List.copyOf(sent.subList(from, to)));
            from = to;
        }
        return each;
    }

    /** A message without an id of its own has that of the request: where a second try finds the first there, this send has added it. */
    private static List<SentMessage> sent(List<Outgoing> messages, List<SentMessage> answers) {
        if (answers.size() != messages.size()) {
            throw new StoreException(
                    ErrorCode.OUTCOME_UNKNOWN,
                    "The server answered " + answers.size() + " of " + messages.size() + " messages.");
        }
        List<SentMessage> sent = new ArrayList<>();
        for (int i = 0; i < answers.size(); i++) {
            boolean ours = messages.get(i).deduplicationId() == null;
            sent.add(new SentMessage(answers.get(i).id(), ours || answers.get(i).created()));
        }
        return sent;
    }
}
