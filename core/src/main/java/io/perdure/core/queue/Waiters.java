package io.perdure.core.queue;

import io.perdure.core.queue.Line.Waiter;
import io.perdure.core.queue.Look.Looked;
import io.perdure.core.store.Hint;
import io.perdure.core.store.SharedWatch;
import io.perdure.core.store.Store;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.queue.Receiving;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Lets receivers wait for messages without asking the store over and over.
 *
 * <p><b>One call, one look.</b> A hint calls one receiver of its queue, not all of them. That is enough, because a call is
 * never lost: whoever is called looks later than the hint came, and hands the call on if it does not get to look (it was
 * interrupted, the store failed), if it was called again while it looked, or if it got all that it asked for, since then there
 * may be more. So one hint empties a queue of any length, and a message costs a look or two, also with a thousand waiting.
 *
 * <p><b>Who asks by content is called every time.</b> Nobody else can tell what such a receiver wants. So those who wait with a match
 * have a line of their own: a hint calls all of them, and one of the others. Each has its own call, so none is handed on, and what one of
 * them finds or does not find calls nobody: two that find nothing rest. One that stopped before it had seen everything goes on at once,
 * and a call that comes meanwhile has it start over in the end, for what it was called for may lie where it has been.
 *
 * <p><b>One keeps the time.</b> A look that finds nothing learns when something becomes ready by itself: a delay passes, a
 * lease ends. The first of the line wakes then for all of them; where they wait with a match, it wakes the others too. The store's clock
 * decides, and asking for it is a query: it is asked once for each such time. Hints can be lost, so the first looks in any case,
 * {@link Line#LOOK_WITHIN} after the last look.
 * As long as nothing comes of it and nobody is called it does so half as often each time, down to once in {@link
 * Line#LOOK_WITHIN_AT_REST}: a process that has nothing to do asks next to nothing.
 *
 * <p><b>Look, join, look.</b> A receiver that finds messages at once never joins a line, so that a busy queue pays for no
 * registration. One that finds none joins and looks again: what came in between is either seen by that look or hinted at
 * after it. One that comes back to a line where the last look found nothing joins first, and looks once: most likely it waits
 * again. Such a line is remembered when nobody waits in it, and how seldom it is looked at. The store is watched only while somebody
 * waits, since a store may have to poll for what other processes did.
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

    private final Map<Place, Line> lines = new HashMap<>();
    private boolean closed;
    private volatile boolean callersDismissed;

    /** Where one waits: at a queue, with those who have a match or with those who take whatever comes. */
    private record Place(QueueName queue, boolean matching) {}

    private final SharedWatch watch;

    Waiters(Store store, Environment environment, TenantId tenant) {
        this.store = store;
        this.environment = environment;
        this.tenant = tenant;
        this.watch = new SharedWatch(store, this::hinted);
    }

    /**
     * Answers what a look finds, waiting for it as long as was asked for. A look leases what it finds, so that its answer is
     * returned whatever happens; an interrupted thread answers empty and keeps its flag; one that is dismissed answers empty, too.
     */
    Looked receive(QueueName queue, Receiving receiving, Look look, Dismissal dismissal) {
        Place place = new Place(queue, receiving.match() != null);
        long deadline = environment.nanoTime() + receiving.waiting().toNanos();
        boolean halfway = false;
        if (receiving.waiting().isZero() || look.isHalfway() || !isAtRest(place)) {
            Looked first = look.look();
            if (!first.foundNothing() || receiving.waiting().isZero()) {
                return first;
            }
            halfway = first.more();
        }
        watch.join();
        try {
            Waiter waiter = join(place, halfway);
            try {
                Dismissal current = Dismissal.current();
                dismissal.waitAt(waiter.bell());
                current.waitAt(waiter.bell());
                return await(place, waiter, new Waiting(receiving.max(), deadline, look, List.of(dismissal, current)));
            } finally {
                leave(place, waiter);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Looked.NOTHING;
        } finally {
            watch.leave();
        }
    }

    /** What one waits for, until when, unless it is dismissed. */
    private record Waiting(int max, long deadline, Look look, List<Dismissal> dismissals) {
        boolean isDismissed() {
            return dismissals.stream().anyMatch(Dismissal::isDismissed);
        }
    }

    private Looked await(Place place, Waiter waiter, Waiting waiting) throws InterruptedException {
        while (true) {
            if (beginLook(place, waiter)) {
                Looked looked = look(place, waiting.look());
                learn(place, looked, waiting.max());
                if (!looked.foundNothing()) {
                    return looked;
                }
                if (looked.more()) {
                    atLine(place, line -> line.goOn(waiter));
                }
            }
            long now = environment.nanoTime();
            if (waiting.deadline() - now <= 0 || waiting.isDismissed()) {
                return Looked.NOTHING;
            }
            waiter.bell().await(nextLook(place, waiter, now, waiting.deadline()));
        }
    }

    private Looked look(Place place, Look look) {
        Looked looked = null;
        try {
            looked = look.look();
            return looked;
        } finally {
            if (looked == null) {
                // The call was taken, and nobody looked.
                atLine(place, Line::handOn);
            }
        }
    }

    /** Tells the line what a look has found out; half a look that found nothing says nothing. */
    private void learn(Place place, Looked looked, int max) {
        Instant nextReady = looked.received().nextReady();
        int found = looked.received().deliveries().size();
        // Whoever got all it asked for was told no time, and calls the next one, who will be.
        OptionalLong nanos = nextReady == null ? OptionalLong.empty() : nanosOf(place, nextReady);
        atLine(place, line -> {
            if (nextReady != null && nanos.isPresent()) {
                line.lookAt(nextReady, nanos.getAsLong());
            }
            if (!looked.more()) {
                line.found(found);
            }
            if (found == max) {
                line.handOn();
            }
        });
    }

    /** When a time of the store's clock comes, by ours; empty where the store could not be asked. */
    private OptionalLong nanosOf(Place place, Instant time) {
        lock.lock();
        try {
            OptionalLong known = line(place).nanosOf(time, environment.nanoTime());
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

    private Waiter join(Place place, boolean halfway) {
        Waiter waiter = new Waiter(environment.bell(), halfway);
        lock.lock();
        try {
            long now = environment.nanoTime();
            lines.computeIfAbsent(place, _ -> new Line(place.matching(), now)).join(waiter);
            return waiter;
        } finally {
            lock.unlock();
        }
    }

    private void leave(Place place, Waiter waiter) {
        atLine(place, line -> {
            line.leave(waiter);
            if (line.isEmpty() && (!line.isAtRest() || lines.size() > REMEMBERED)) {
                lines.remove(place);
            }
        });
    }

    private boolean isAtRest(Place place) {
        lock.lock();
        try {
            Line line = lines.get(place);
            return line != null && line.isAtRest();
        } finally {
            lock.unlock();
        }
    }

    /** Whether this one is to look now; throws {@code PD-203} where nobody is to wait any more. */
    private boolean beginLook(Place place, Waiter waiter) {
        lock.lock();
        try {
            if (closed) {
                throw Outcomes.closed();
            }
            return line(place).beginLook(waiter, environment.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    private Duration nextLook(Place place, Waiter waiter, long now, long deadline) {
        lock.lock();
        try {
            return Duration.ofNanos(line(place).nanosToWait(waiter, now, deadline));
        } finally {
            lock.unlock();
        }
    }

    private Line line(Place place) {
        return Objects.requireNonNull(lines.get(place), "a line lasts as long as somebody waits in it");
    }

    /** Calls those to look who wait for this queue with a match, and one of the others. */
    void call(QueueName queue) {
        lock.lock();
        try {
            atLine(new Place(queue, false), Line::call);
            atLine(new Place(queue, true), Line::call);
        } finally {
            lock.unlock();
        }
    }

    /** The same for every queue. */
    void callAll() {
        lock.lock();
        try {
            lines.values().forEach(Line::call);
        } finally {
            lock.unlock();
        }
    }

    private void hinted(Hint hint) {
        switch (hint) {
            case Hint.Ready(TenantId of, QueueName queue) -> {
                if (of.equals(tenant)) {
                    call(queue);
                }
            }
            case Hint.Anything() -> callAll();
            case Hint.Ended _ -> {
                // Of runs, for whom nobody waits here.
            }
        }
    }

    private void atLine(Place place, Consumer<Line> step) {
        lock.lock();
        try {
            Line line = lines.get(place);
            if (line != null) {
                step.accept(line);
            }
        } finally {
            lock.unlock();
        }
    }

    /** For a caller who waits on its own behalf, until {@link #dismissCallers}. */
    Dismissal caller() {
        return new Dismissal(() -> callersDismissed);
    }

    /** Ends the waits of all callers as if their time were over, those to come too. Consumers go on. */
    void dismissCallers() {
        callersDismissed = true;
        wakeAll();
    }

    /** Ends every wait with {@code PD-203}, those to come too. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        wakeAll();
    }

    private void wakeAll() {
        lock.lock();
        try {
            lines.values().forEach(Line::wakeAll);
        } finally {
            lock.unlock();
        }
    }
}
