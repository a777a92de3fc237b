package io.perdure.sdk.queue;

import io.perdure.sdk.id.QueueName;

/** One queue as it stood a moment ago. */
public record QueueStatus(QueueName name, QueueSettings settings, QueueFigures figures) {}
