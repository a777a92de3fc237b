package io.perdure.client;

import io.perdure.sdk.consumer.QueueBackend;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.QueueStatus;
import io.perdure.sdk.wire.FieldReader;
import io.perdure.sdk.wire.QueueJson;
import java.util.List;

/** The queues that a server keeps. */
final class RemoteQueues {
    private final Calls calls;
    private final RemoteSends sends;

    RemoteQueues(Calls calls) {
        this.calls = calls;
        this.sends = new RemoteSends(calls);
    }

    MessageQueue create(QueueName name, QueueSettings settings) {
        calls.ask(calls.repeatable("POST", Paths.QUEUES, new QueueJson.Creation(name, settings).write()));
        return new RemoteQueue(calls, sends, name);
    }

    MessageQueue queue(QueueName name) {
        RemoteQueue queue = new RemoteQueue(calls, sends, name);
        queue.status();
        return queue;
    }

    /** What a consumer needs of a queue; {@code PD-401} where there is none of this name. */
    QueueBackend backend(QueueName name) {
        return new RemoteQueue(calls, sends, name).backend();
    }

    List<QueueStatus> all() {
        return calls.ask(
                Call.get(Paths.QUEUES), answer -> FieldReader.of(answer).list("queues", QueueJson::status));
    }
}
