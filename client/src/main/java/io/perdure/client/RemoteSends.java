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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Sends messages. Sends to a queue share requests: those with a group one after another, so that a group keeps its order, the others also side by side. Each
 * message has a deduplication id before it goes, so that it is added once however often, and with whichever others, it is sent.
 */
final class RemoteSends {
    private static final Limits.Queues LIMITS = Limits.defaults().queues();
    private static final Gathering.Requests IN_ORDER = requests(1);
    private static final Gathering.Requests IN_ANY_ORDER = requests(8);

    private final Calls calls;
    private final Gathering<Place, Send, List<SentMessage>> gathering;

    RemoteSends(Calls calls) {
        this.calls = calls;
        this.gathering = new Gathering<>(
                calls, Room.asOfLedger(), place -> place.ordered() ? IN_ORDER : IN_ANY_ORDER, this::send);
    }

    private static Gathering.Requests requests(int lanes) {
        return new Gathering.Requests(lanes, LIMITS.batchMessages(), LIMITS.batchBytes());
    }

    /** Where a send waits for others that go there as well. */
    private record Place(QueueName queue, boolean ordered) {}

    /** The messages of one send, as they were given and as they are written. */
    private record Send(List<Outgoing> messages, List<Json> written) {}

    Sending send(QueueName queue, List<Outgoing> messages) {
        calls.requireOpen();
        if (messages.isEmpty()) {
            return new Sending(List::of, () -> true);
        }
        Send send = new Send(List.copyOf(messages), written(messages));
        Place place = new Place(queue, messages.stream().anyMatch(message -> message.group() != null));
        Later<List<SentMessage>> sent = gathering.hand(
                place,
                send,
                messages.size(),
                send.written().stream().mapToInt(Json::bytes).sum());
        return new Sending(sent::await, sent::isDone);
    }

    private List<Json> written(List<Outgoing> messages) {
        UUID id = calls.requestId();
        List<Json> written = new ArrayList<>();
        for (Outgoing message : messages) {
            written.add(QueueJson.write(
                    message.deduplicationId() == null
                            ? message.deduplicationId("rq-" + id + "-" + written.size())
                            : message));
        }
        return written;
    }

    private List<List<SentMessage>> send(Place place, List<Send> sends, Duration patience) {
        String path = Paths.queue(place.queue()) + "/messages";
        List<Outgoing> messages =
                sends.stream().flatMap(send -> send.messages().stream()).toList();
        Json body = JsonArray.of(
                sends.stream().flatMap(send -> send.written().stream()).toList());
        List<SentMessage> sent = sent(
                messages,
                calls.ask(
                        calls.natural("POST", path, body).patience(patience),
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

    /** Where a second try finds a message there that has no id of its own, this send has added it. */
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
