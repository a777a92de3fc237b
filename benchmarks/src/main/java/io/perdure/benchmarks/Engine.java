package io.perdure.benchmarks;

import io.perdure.core.queue.Queues;
import io.perdure.core.store.Effort;
import io.perdure.core.store.Ledger;
import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.sdk.Limits;
import io.perdure.sdk.consumer.QueueConsumer;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.queue.ConsumeOptions;
import io.perdure.sdk.queue.MessageHandler;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.QueueFigures;
import io.perdure.sdk.queue.QueueSettings;

/** The engine as {@code Perdure.open} puts it together, with a look at what the store does. */
final class Engine implements AutoCloseable {
    private static final TenantId TENANT = new TenantId("bench");

    private final Store store;
    private final Ledger ledger;
    private final Queues queues;
    private final MessageQueue queue;

    private Engine(Store store, Environment environment) {
        this.store = store;
        ledger = Ledger.open(store, environment, Limits.defaults());
        queues = Queues.open(store, ledger, environment, TENANT);
        queue = queues.create(new QueueName("work"), QueueSettings.defaults());
    }

    static Engine open(String url) {
        Environment environment = new SystemEnvironment();
        return new Engine(Stores.open(url, environment, Limits.defaults()), environment);
    }

    /** Has the queue's messages handled. */
    QueueConsumer consume(ConsumeOptions options, MessageHandler handler) {
        return queues.consume(queue.name(), options, handler);
    }

    /** How the queue stands. */
    QueueFigures figures() {
        return store.figures(TENANT, queue.name()).orElseThrow();
    }

    MessageQueue queue() {
        return queue;
    }

    Effort effort() {
        return store.effort();
    }

    @Override
    public void close() {
        queues.close();
        ledger.close();
        store.close();
    }
}
