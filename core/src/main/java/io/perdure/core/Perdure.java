package io.perdure.core;

import io.perdure.core.queue.MessageQueue;
import io.perdure.core.queue.QueueStatus;
import io.perdure.core.queue.Queues;
import io.perdure.core.store.Ledger;
import io.perdure.core.store.QueueSettings;
import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The engine inside this process, over one store. Open one per store and share it: it is safe for many threads, and what they
 * write at the same time shares one flush to the disk. Every method may throw a {@link PerdureException}, whose code says
 * what happened; after {@link #close} that is {@code PD-203}.
 */
public final class Perdure implements AutoCloseable {
    private final Store store;
    private final Ledger ledger;
    private final Queues queues;

    private Perdure(Store store, Ledger ledger, Queues queues) {
        this.store = store;
        this.ledger = ledger;
        this.queues = queues;
    }

    /** Opens the store that a URL names, such as {@code jdbc:sqlite:app.db}, creating it where there is none. */
    public static Perdure open(String url) {
        return open(url, OpenOptions.defaults());
    }

    /** Opens the store that a URL names, with options. */
    public static Perdure open(String url, OpenOptions options) {
        Objects.requireNonNull(options, "options");
        Environment environment = new SystemEnvironment();
        return over(Stores.open(url, environment, Limits.defaults()), environment, options);
    }

    /** The engine over a store that is open; closes the store where it cannot go on, and in the end. */
    static Perdure over(Store store, Environment environment, OpenOptions options) {
        try {
            Ledger ledger = Ledger.open(store, environment, Limits.defaults());
            try {
                return new Perdure(store, ledger, Queues.open(store, ledger, environment, options.tenant()));
            } catch (RuntimeException e) {
                ledger.close();
                throw e;
            }
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /** Creates a queue with the default settings, see {@link #createQueue(String, QueueSettings)}. */
    public MessageQueue createQueue(String name) {
        return createQueue(name, QueueSettings.defaults());
    }

    /**
     * Creates a queue, and {@code <name>.dlq} for its dead letters. One that exists with equal settings is left as it is; with
     * other settings it is {@code PD-402}.
     */
    public MessageQueue createQueue(String name, QueueSettings settings) {
        return queues.create(new QueueName(name), settings);
    }

    /** A queue that exists, dead-letter queues included; {@code PD-401} where there is none of this name. */
    public MessageQueue queue(String name) {
        return queues.queue(new QueueName(name));
    }

    /** All queues by name, dead-letter queues included, with their settings and figures. */
    public List<QueueStatus> queues() {
        return queues.all();
    }

    /**
     * Acknowledges messages of any queues by their receipts alone, each on its own. Answers the receipts that came too late:
     * their messages were settled before or are with another receiver ({@code PD-406}).
     */
    public List<Receipt> ackAll(List<Receipt> receipts) {
        return queues.ackAll(receipts);
    }

    /**
     * Why the newest attempt to remove what has served its time failed; empty where it did not fail, or there was none yet. It
     * is tried again every minute, and the failure is also logged under the name of this package.
     */
    public Optional<RuntimeException> sweepFailure() {
        return queues.sweepFailure();
    }

    /**
     * Ends every wait with {@code PD-203}, lets commits that are under way finish, and closes the store. Messages that are
     * leased stay so until their leases end. Closing again does nothing.
     */
    @Override
    public void close() {
        try (store;
                ledger) {
            queues.close();
        }
    }
}
