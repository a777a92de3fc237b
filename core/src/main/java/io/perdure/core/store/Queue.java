package io.perdure.core.store;

import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.queue.QueueSettings;

/** A queue of users. A dead-letter queue bears the settings of the queue it belongs to. */
public record Queue(QueueName name, QueueSettings settings) {}
