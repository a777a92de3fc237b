package io.perdure.core.queue;

import io.perdure.core.store.QueueFigures;
import io.perdure.core.store.QueueSettings;
import io.perdure.sdk.id.QueueName;

/** One queue as it stood a moment ago. */
public record QueueStatus(QueueName name, QueueSettings settings, QueueFigures figures) {}
