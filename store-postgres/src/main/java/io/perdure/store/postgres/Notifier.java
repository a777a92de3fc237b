package io.perdure.store.postgres;

import io.perdure.core.store.Hint;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.logging.Logs;
import java.lang.System.Logger.Level;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Tells other processes what became ready or ended. A transaction that notifies holds a lock of the whole server through its
 * commit, so this is done after the fact, by a thread and over a connection of its own, without waiting for the disk, and at
 * most once in {@link #PACE}: all that happened meanwhile goes out together, each queue once. Who has something to tell only
 * leaves it here. What could not be sent is sent when the server is back.
 *
 * <p>Behind a pooler it works as well: a notification is sent by any session. So processes that can listen hear of those that
 * cannot.
 */
final class Notifier implements AutoCloseable {
    static final Duration PACE = Duration.ofMillis(5);

    /** After so long without news the connection is given up. */
    private static final Duration IDLE = Duration.ofMinutes(1);

    /** A process that sends one message and ends still tells it, where the server answers. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);

    /** More do not fit into a payload, so there is no use in remembering them. */
    private static final int MOST_PENDING = 1_000;

    /** The setting lasts as long as the statement: behind a pooler the session is somebody else's in a moment. */
    private static final String NOTIFY = "SELECT set_config('synchronous_commit', 'off', true), pg_notify(?, ?)";

    private static final System.Logger LOG = Logs.of(Notifier.class);

    private final Environment environment;
    private final String channel;
    private final UUID sender;
    private final OwnConnection own;
    private final Backoff backoff;
    private final Bell news;
    private final Bell over;

    /** Guards what is pending and the start of the thread. */
    private final ReentrantLock lock = new ReentrantLock();

    private Set<Hint> pending = new HashSet<>();
    private @Nullable Thread thread;
    private volatile boolean closed;

    Notifier(Connections connections, Environment environment, String channel, UUID sender) {
        this.environment = environment;
        this.channel = channel;
        this.sender = sender;
        this.own = new OwnConnection(connections);
        this.backoff = new Backoff(environment);
        this.news = environment.bell();
        this.over = environment.bell();
    }

    /** Leaves something to be told, soon. Does no more than that. */
    void add(Set<Hint> hints) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            pending.addAll(hints);
            if (pending.size() > MOST_PENDING) {
                pending = new HashSet<>(Set.of(new Hint.Anything()));
            }
            if (thread == null) {
                thread = environment.startApart("perdure-notifier", this::work);
            }
        } finally {
            lock.unlock();
        }
        news.ring();
    }

    private void work() {
        try {
            while (true) {
                Set<Hint> told = take();
                if (told.isEmpty()) {
                    if (closed) {
                        return;
                    }
                    rest();
                } else if (sent(told)) {
                    environment.sleep(PACE);
                } else if (closed) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            // Nobody of ours interrupts this thread: who does wants it to end.
            Thread.currentThread().interrupt();
        } finally {
            own.letGo();
        }
    }

    private Set<Hint> take() {
        lock.lock();
        try {
            Set<Hint> taken = pending;
            pending = new HashSet<>();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    private void rest() throws InterruptedException {
        if (!news.await(IDLE)) {
            own.letGo();
        }
    }

    /** Whether it went out. If not, it waits a while, and is told together with what comes meanwhile. */
    private boolean sent(Set<Hint> hints) throws InterruptedException {
        try (PreparedStatement statement = own.open().prepareStatement(NOTIFY)) {
            statement.setString(1, channel);
            statement.setString(2, new Notice(sender, hints).text());
            statement.execute();
            backoff.reset();
            return true;
        } catch (SQLException | RuntimeException e) {
            if (!closed) {
                LOG.log(
                        backoff.isFresh() ? Level.WARNING : Level.DEBUG,
                        "Other processes could not be told what is ready; it is tried again: " + e.getMessage());
            }
            own.letGo();
            add(hints);
            over.await(backoff.next());
            return false;
        }
    }

    /** Sends what is left, for a second at most. */
    @Override
    public void close() {
        Thread running;
        lock.lock();
        try {
            closed = true;
            running = thread;
        } finally {
            lock.unlock();
        }
        news.ring();
        over.ring();
        if (running != null) {
            try {
                running.join(LAST_WORDS);
            } catch (InterruptedException e) {
                // Whoever closes is in a hurry. Others find what there is when they look.
                Thread.currentThread().interrupt();
            }
        }
        own.cut();
    }
}
