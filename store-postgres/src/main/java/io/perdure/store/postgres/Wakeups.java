package io.perdure.store.postgres;

import io.perdure.core.store.Hint;
import io.perdure.core.store.Store;
import io.perdure.core.store.rows.Watches;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.ProcessId;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Wakes who waits, here and in other processes. Those here are told at once, by whoever has news; the others by notifications
 * of the server, a moment later. Nothing rests on them: a message that nobody was told of is found when somebody looks.
 *
 * <p>Behind a pooler in transaction mode nobody can listen, and there a process asks now and then. It notifies all the same, for
 * the sake of processes that reach the server without the pooler.
 */
final class Wakeups implements AutoCloseable {
    private final Watches watches = new Watches();
    private final Consumer<ProcessId> own;
    private final Notifier notifier;
    private final Listener listener;

    Wakeups(Connections connections, Environment environment) {
        PostgresUrl url = connections.url();
        String channel = channel(url.schema());
        UUID self =
                new UUID(environment.random().nextLong(), environment.random().nextLong());
        Polling polling = new Polling(new SchemaName(url.schema()), environment.bell());
        this.notifier = new Notifier(connections, environment, channel, self);
        Hearing hearing = switch (url.pooler()) {
            case NONE -> new Listening(channel, self);
            case TRANSACTION -> polling;
        };
        // Who listens is told by whom each notification is.
        this.own = hearing == polling ? polling::isOwn : _ -> {};
        this.listener = new Listener(connections, environment, hearing, watches);
    }

    /** Of all stores in a schema; the server tells databases apart by itself. */
    static String channel(String schema) {
        return "perdure_" + schema;
    }

    /** Tells everybody. Quick: whoever made something ready calls this, and is waited for. */
    void tell(Set<Hint> hints) {
        if (!hints.isEmpty()) {
            watches.accept(hints);
            notifier.add(hints);
        }
    }

    Store.Watch watch(Consumer<Hint> heard) {
        Store.Watch watch = watches.add(heard);
        listener.wake();
        return watch;
    }

    /** Notes a process whose doings are told here, so that they need not be found out. */
    void isOwn(ProcessId process) {
        own.accept(process);
    }

    /** Tells others what is left to tell, and nobody here any more. */
    @Override
    public void close() {
        watches.clear();
        listener.close();
        notifier.close();
    }
}
