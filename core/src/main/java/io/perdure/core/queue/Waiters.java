package io.perdure.core.queue;

import io.perdure.core.queue.Line.Waiter;
import io.perdure.core.store.Hint;
import io.perdure.core.store.Received;
import io.perdure.core.store.SharedWatch;
import io.perdure.core.store.Store;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Lets receivers wait for messages without asking the store over and over.
 *
 * <p><b>One call, one look.</b> A hint calls one receiver of its queue, not all of them. That is enough, because a call is
 * never lost: whoever is called looks later than the hint came, and hands the call on if it does not get to look (it was
 * interrupted, the store failed), if it was called again while it looked, or if it got all that it asked for, since then there
 * may be more. So one hint empties a queue of any length, and a message costs a look or two, also with a thousand waiting.
 *
 * <p><b>One keeps the time.</b> A look that finds nothing learns when something becomes ready by itself: a delay passes, a
 * lease ends. The first of the line wakes then for all of them. The store's clock decides, and asking for it is a query: it is
 * asked once for each such time. Hints can be lost, so the first looks in any case, {@link Line#LOOK_WITHIN} after the last look.
 * As long as nothing comes of it and nobody is called it does so half as often each time, down to once in {@link
 * Line#LOOK_WITHIN_AT_REST}: a process that has nothing to do asks next to nothing.
 *
 * <p><b>Look, join, look.</b> A receiver that finds messages at once never joins a line, so that a busy queue pays for no
 * registration. One that finds none joins and looks again: what came in between is either seen by that look or hinted at
 * after it. One that comes back to a line where the last look found nothing joins first, and looks once: most likely it waits
 * again. Such a line is remembered when nobody waits in it, and how seldom it is looked at. The store is watched only while somebody waits, since a store may have to poll for what other processes did.
 */
final class Waiters implements AutoCloseable {
    /** Nanoseconds of a time that is farther ahead would not fit. */
    private static final Duration FARTHEST = Duration.ofDays(1);

    /** With more lines than these one goes when it is empty. */
    private static final int REMEMBERED = 1_000;

    private final Store store;
    private final Environment environment;
    private final TenantId tenant;

    /** Guards the lines. The listener takes it, so no call of the store is made under it. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<QueueName, Line> lines = new HashMap<>();
    private boolean closed;

    private final SharedWatch watch;

    Waiters(Store store, Environment environment, TenantId tenant) {
        this.store = store;
        this.environment = environment;
        this.tenant = tenant;
        this.watch = new SharedWatch(store, this::hinted);
    }

    /**
     * Answers what a look finds, waiting for it as long as was asked for. A look leases what it finds, so that its answer is
     * returned whatever happens; an interrupted thread answers empty and keeps its flag.
     */
    List<Received.Delivery> receive(QueueName queue, Receiving receiving, Supplier<Received> look) {
        long deadline = environment.nanoTime() + receiving.waiting().toNanos();
        if (receiving.waiting().isZero() || !isAtRest(queue)) {
            Received first = look.get();
            if (!first.deliveries().isEmpty() || receiving.waiting().isZero()) {
                return first.deliveries();
            }
        }
        watch.join();
        try {
            Waiter waiter = join(queue);
            try {
                return await(queue, waiter, receiving.max(), deadline, look);
            } finally {
                leave(queue, waiter);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        } finally {
            watch.leave();
        }
    }

    private List<Received.Delivery> await(
            QueueName queue, Waiter waiter, int max, long deadline, Supplier<Received> look)
            throws InterruptedException {
        while (true) {
            if (beginLook(queue, waiter)) {
                Received received = look(queue, look);
                learn(queue, received, max);
                if (!received.deliveries().isEmpty()) {
                    return received.deliveries();
                }
            }
            long now = environment.nanoTime();
            if (deadline - now <= 0) {
                return List.of();
            }
            waiter.bell().await(nextLook(queue, waiter, now, deadline));
        }
    }

    private Received look(QueueName queue, Supplier<Received> look) {
        boolean looked = false;
        try {
            Received received = look.get();
            looked = true;
            return received;
        } finally {
            if (!looked) {
                // The call was taken, and nobody looked.
                call(queue);
            }
        }
    }

    /** Tells the line what a look has found out. */
    private void learn(QueueName queue, Received received, int max) {
        Instant nextReady = received.nextReady();
        // Whoever got all it asked for was told no time, and calls the next one, who will be.
        OptionalLong nanos = nextReady == null ? OptionalLong.empty() : nanosOf(queue, nextReady);
        atLine(queue, line -> {
            if (nextReady != null && nanos.isPresent()) {
                line.lookAt(nextReady, nanos.getAsLong());
            }
            line.found(received.deliveries().size());
            if (received.deliveries().size() == max) {
                line.call();
            }
        });
    }

    /** When a time of the store's clock comes, by ours; empty where the store could not be asked. */
    private OptionalLong nanosOf(QueueName queue, Instant time) {
        lock.lock();
        try {
            OptionalLong known = line(queue).nanosOf(time, environment.nanoTime());
            if (known.isPresent()) {
                return known;
            }
        } finally {
            lock.unlock();
        }
        try {
            // At least a moment from now, so that nobody looks in a circle; what is days ahead is asked about again.
            long millis = Duration.between(store.now(), time).toMillis() + 1;
            return OptionalLong.of(environment.nanoTime() + Math.clamp(millis, 1, FARTHEST.toMillis()) * 1_000_000);
        } catch (RuntimeException e) {
            // The look before may have leased messages, which must be answered. The next look meets the same error.
            return OptionalLong.empty();
        }
    }

    private Waiter join(QueueName queue) {
        Waiter waiter = new Waiter(environment.bell());
        lock.lock();
        try {
            long now = environment.nanoTime();
            lines.computeIfAbsent(queue, _ -> new Line(now)).join(waiter);
            return waiter;
        } finally {
            lock.unlock();
        }
    }

    private void leave(QueueName queue, Waiter waiter) {
        atLine(queue, line -> {
            line.leave(waiter);
            if (line.isEmpty() && (!line.isAtRest() || lines.size() > REMEMBERED)) {
                lines.remove(queue);
            }
        });
    }

    private boolean isAtRest(QueueName queue) {
        lock.lock();
        try {
            Line line = lines.get(queue);
            return line != null && line.isAtRest();
        } finally {
            lock.unlock();
        }
    }

    /** Whether this one is to look now; throws {@code PD-203} where nobody is to wait any more. */
    private boolean beginLook(QueueName queue, Waiter waiter) {
        lock.lock();
        try {
            if (closed) {
                throw Outcomes.closed();
            }
            return line(queue).beginLook(waiter, environment.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    private Duration nextLook(QueueName queue, Waiter waiter, long now, long deadline) {
        lock.lock();
        try {
            return Duration.ofNanos(line(queue).nanosToWait(waiter, now, deadline));
        } finally {
            lock.unlock();
        }
    }

    private Line line(QueueName queue) {
        return Objects.requireNonNull(lines.get(queue), "a line lasts as long as somebody waits in it");
    }

    /** Calls one of those who wait for this queue, if any, to look. */
    void call(QueueName queue) {
        atLine(queue, Line::call);
    }

    private void hinted(Hint hint) {
        switch (hint) {
            case Hint.Ready(TenantId of, QueueName queue) -> {
                if (of.equals(tenant)) {
                    call(queue);
                }
            }
            case Hint.Anything() -> atAllLines(Line::call);
            case Hint.Ended _ -> {
                // Of runs, for whom nobody waits here.
            }
        }
    }

    private void atLine(QueueName queue, Consumer<Line> step) {
        lock.lock();
        try {
            Line line = lines.get(queue);
            if (line != null) {
                step.accept(line);
            }
        } finally {
            lock.unlock();
        }
    }

    private void atAllLines(Consumer<Line> step) {
        lock.lock();
        try {
            lines.values().forEach(step);
        } finally {
            lock.unlock();
        }
    }

    /** Ends every wait with {@code PD-203}, those to come too. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            lines.values().forEach(Line::dismiss);
        } finally {
            lock.unlock();
        }
    }
}
