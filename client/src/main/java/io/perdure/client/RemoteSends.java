package io.perdure.client;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.json.JsonArray;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.Sending;
import io.perdure.sdk.queue.SentMessage;
import io.perdure.sdk.wire.FieldReader;
import io.perdure.sdk.wire.QueueJson;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/** Sends messages, many at the same time: each send is a request of its own, on a thread of its own. */
final class RemoteSends {
    /** Most sends of one client that are under way; others wait their turn, and not their callers. Each has a connection. */
    private static final int AT_ONCE = 64;

    private final Calls calls;
    private final Semaphore turns = new Semaphore(AT_ONCE);

    RemoteSends(Calls calls) {
        this.calls = calls;
    }

    Sending send(QueueName queue, List<Outgoing> messages) {
        calls.requireOpen();
        List<Outgoing> all = List.copyOf(messages);
        if (all.isEmpty()) {
            return new Sending(List::of, () -> true);
        }
        Call call = calls.repeatable(
                "POST",
                Paths.queue(queue) + "/messages",
                JsonArray.of(all.stream().map(QueueJson::write).toList()));
        Later<List<SentMessage>> sent = calls.later("perdure-send", () -> send(call, all));
        return new Sending(sent::await, sent::isDone);
    }

    private List<SentMessage> send(Call call, List<Outgoing> messages) {
        turns.acquireUninterruptibly();
        try {
            return sent(
                    messages, calls.ask(call, answer -> FieldReader.of(answer).list("messages", QueueJson::sent)));
        } finally {
            turns.release();
        }
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
        return List.copyOf(sent);
    }
}
