package io.perdure.client;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.queue.DeadLetters;
import io.perdure.sdk.queue.Discarded;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Redriven;
import io.perdure.sdk.wire.FieldReader;
import io.perdure.sdk.wire.QueueJson;
import io.perdure.sdk.workflow.Match;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/** The messages that a queue of a server has given up. */
final class RemoteDeadLetters implements DeadLetters {
    /** Most ids in one request. */
    private static final int MOST = 1_000;

    private final Calls calls;
    private final MessageQueue queue;
    private final String path;

    /**
     * Those in this queue.
     *
     * @param queue the one that holds them, not the one they come from
     */
    RemoteDeadLetters(Calls calls, RemoteQueue queue) {
        this.calls = calls;
        this.queue = queue;
        this.path = Paths.queue(queue.name().origin()) + "/dlq";
    }

    @Override
    public MessageQueue queue() {
        return queue;
    }

    @Override
    public void redrive(MessageId message) {
        requireThere(message, redrive(List.of(message)).missing());
    }

    @Override
    public Redriven redrive(List<MessageId> messages) {
        List<MessageId> missing = missing("/redrive", messages);
        return new Redriven(messages.size() - missing.size(), missing);
    }

    @Override
    public long redriveAll(LongConsumer progress) {
        return redriveAll(JsonObject.builder().put("all", true), progress);
    }

    @Override
    public long redriveAll(Json matching, LongConsumer progress) {
        // Held to its bounds before it travels.
        Match.containing(matching);
        return redriveAll(JsonObject.builder().put("all", true).put("match", matching), progress);
    }

    private long redriveAll(JsonObject.Builder which, LongConsumer progress) {
        return calls.lines(
                calls.repeatable("POST", path + "/redrive", which.build()),
                RemoteDeadLetters::counted,
                progress::accept);
    }

    @Override
    public long count(Json matching) {
        Match.containing(matching);
        Json body = JsonObject.builder().put("match", matching).build();
        return calls.ask(calls.natural("POST", path + "/count", body).lasting(Calls.LONG), RemoteDeadLetters::counted);
    }

    private static long counted(Json answer) {
        return FieldReader.of(answer).integer("count");
    }

    @Override
    public void discard(MessageId message) {
        requireThere(message, discard(List.of(message)).missing());
    }

    @Override
    public Discarded discard(List<MessageId> messages) {
        List<MessageId> missing = missing("/discard", messages);
        return new Discarded(messages.size() - missing.size(), missing);
    }

    /** Has it done to each, and answers those that were not there. */
    private List<MessageId> missing(String what, List<MessageId> messages) {
        calls.requireOpen();
        List<MessageId> missing = new ArrayList<>();
        for (int from = 0; from < messages.size(); from += MOST) {
            List<MessageId> some = messages.subList(from, Math.min(from + MOST, messages.size()));
            Json body =
                    JsonObject.builder().put("messages", QueueJson.texts(some)).build();
            missing.addAll(calls.ask(
                    calls.repeatable("POST", path + what, body),
                    answer -> FieldReader.of(answer).list("missing", id -> MessageId.parse(id.content()))));
        }
        return missing;
    }

    private void requireThere(MessageId message, List<MessageId> missing) {
        if (!missing.isEmpty()) {
            throw new RefusedException(
                    ErrorCode.NO_SUCH_MESSAGE, "Queue \"%s\" has no message %s.".formatted(queue.name(), message));
        }
    }
}
