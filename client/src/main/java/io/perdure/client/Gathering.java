package io.perdure.client;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.Environment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lets many callers share requests to one place. Only so many are under way at a time; what comes meanwhile goes with the next one, in the order it came. So a lone
 * caller's goes at once, and under load hundreds cost one request, and the server one flush. With one at a time, all arrives in that order. What waits has its
 * {@link Room}: who brings more waits for that.
 *
 * <p>Where a shared request is refused its halves are asked for, until whoever it is refused for is alone: the others do not hear of it. What is asked for
 * has to bear that it is asked again.
 *
 * <p>Patience counts from when something is handed over. A request is tried again for as long as the youngest in it has patience; who has none left by
 * then, because the server was away all the time, hears so with those before it. So everybody does within twice the patience, however many wait. Safe for many
 * threads.
 */
final class Gathering<P, T, R> {
    private final Calls calls;
    private final Environment environment;
    private final Room room;
    private final Function<P, Requests> how;
    private final Ask<P, T, R> ask;
    /** Those where something is under way. */
    private final Map<P, Line> lines = new ConcurrentHashMap<>();
    /** When the server was found to be away; absent where it has answered since. */
    private volatile @Nullable Long awayNanos;

    /**
     * How much is asked at once.
     *
     * @param lanes most requests under way
     * @param count how much one request may carry; one that has more by itself goes alone
     * @param bytes the same in bytes
     */
    record Requests(int lanes, int count, int bytes) {}

    /** Makes a request. */
    interface Ask<P, T, R> {
        /** Asks, for so long where the server is away; answers each in its place. */
        List<R> ask(P place, List<T> some, Duration patience);
    }

    /** What one caller asks, and what it will hear. */
    private record Item<T, R>(T what, int count, int bytes, long handedNanos, Later<R> answer) {}

    Gathering(Calls calls, Room room, Function<P, Requests> how, Ask<P, T, R> ask) {
        this.calls = calls;
        this.environment = calls.environment();
        this.room = room;
        this.how = how;
        this.ask = ask;
    }

    /** Asks, for something that counts so much and has so many bytes; waits while there is no room for it. */
    Later<R> hand(P place, T what, int count, int bytes) {
        long handed = environment.nanoTime();
        room.enter(count, bytes);
        Item<T, R> item = new Item<>(what, count, bytes, handed, new Later<>());
        // As one: a line is forgotten once nothing is in it, and two for one place would not keep the order.
        lines.compute(place, (_, there) -> {
            Line line = there == null ? new Line(place) : there;
            line.add(item);
            return line;
        });
        return item.answer();
    }

    /** How many places there are where something is under way. */
    int places() {
        return lines.size();
    }

    private Duration patienceLeft(Item<T, R> item) {
        long passed = environment.nanoTime() - item.handedNanos();
        return Duration.ofNanos(Math.max(0, calls.patience().toNanos() - passed));
    }

    /** Whether the server was away while it waited, for as long as there was patience. */
    private boolean isHopeless(Item<T, R> item) {
        Long away = awayNanos;
        return away != null
                && away - item.handedNanos() >= 0
                && patienceLeft(item).isZero();
    }

    private void complete(Item<T, R> item, R answer) {
        room.leave(item.count(), item.bytes());
        item.answer().complete(() -> answer);
    }

    private void fail(Item<T, R> item, PerdureException why) {
        room.leave(item.count(), item.bytes());
        item.answer().fail(why);
    }

    private void failAll(List<Item<T, R>> some, PerdureException why) {
        some.forEach(item -> fail(item, why.retold(why.what())));
    }

    private void fault(List<Item<T, R>> some, Throwable why) {
        some.forEach(item -> fail(item, new StoreException(ErrorCode.FAULT, "The request could not be sent.", why)));
    }

    /** Whether each would be refused for it, whoever it is. */
    private static boolean concernsAll(PerdureException why) {
        return switch (why.code()) {
            case NO_VALID_KEY,
                    KEY_NOT_ALLOWED,
                    PROTOCOL_MISMATCH,
                    TOO_MANY_REQUESTS,
                    // All of them go to one place.
                    NO_SUCH_QUEUE,
                    NO_SUCH_ROUTE -> true;
            default -> false;
        };
    }

    /** What waits for one place. */
    private final class Line {
        private final P place;
        private final Requests requests;
        private final Queue<Item<T, R>> waiting = new ConcurrentLinkedQueue<>();
        private final AtomicInteger lanes = new AtomicInteger();

        Line(P place) {
            this.place = place;
            this.requests = how.apply(place);
        }

        void add(Item<T, R> item) {
            waiting.add(item);
            goOn();
        }

        private void goOn() {
            int open = lanes.get();
            while (open < requests.lanes()) {
                if (lanes.compareAndSet(open, open + 1)) {
                    begin();
                    return;
                }
                open = lanes.get();
            }
        }

        private void begin() {
            try {
                calls.threads().start(this::work);
            } catch (RuntimeException | Error e) {
                lanes.decrementAndGet();
                // Nobody else may come to ask for them.
                for (Item<T, R> item = waiting.poll(); item != null; item = waiting.poll()) {
                    fault(List.of(item), e);
                }
            }
        }

        private void work() {
            try {
                List<Item<T, R>> some = new ArrayList<>();
                Item<T, R> left = fill(some, null);
                while (!some.isEmpty()) {
                    askTogether(some);
                    calls.yielding().toThoseAnswered(some.size());
                    some = new ArrayList<>();
                    left = fill(some, left);
                }
            } finally {
                lanes.decrementAndGet();
            }
            lines.computeIfPresent(place, (_, line) -> line.isEmpty() ? null : line);
            if (!waiting.isEmpty()) {
                // Handed over after the last look, by who still saw this at work.
                goOn();
            }
        }

        private boolean isEmpty() {
            return waiting.isEmpty() && lanes.get() == 0;
        }

        /** Takes what may go together, first of all what was left before; answers what is left now. */
        private @Nullable Item<T, R> fill(List<Item<T, R>> some, @Nullable Item<T, R> leftBefore) {
            long count = 0;
            long bytes = 0;
            for (Item<T, R> next = leftBefore == null ? waiting.poll() : leftBefore;
                    next != null;
                    next = waiting.poll()) {
                if (isHopeless(next)) {
                    fail(
                            next,
                            new StoreException(
                                    ErrorCode.SERVER_UNREACHABLE,
                                    "The server did not answer what was asked before, and was not asked this."));
                    continue;
                }
                count += next.count();
                bytes += next.bytes();
                if (!some.isEmpty() && (count > requests.count() || bytes > requests.bytes())) {
                    return next;
                }
                some.add(next);
            }
            return null;
        }

        private void askTogether(List<Item<T, R>> some) {
            try {
                List<T> whats = some.stream().map(Item::what).toList();
                List<R> answers = ask.ask(place, whats, patienceLeft(some.getLast()));
                awayNanos = null;
                for (int i = 0; i < some.size(); i++) {
                    complete(some.get(i), answers.get(i));
                }
            } catch (RefusedException | InvalidValueException e) {
                if (some.size() == 1) {
                    fail(some.getFirst(), e);
                } else if (concernsAll(e)) {
                    failAll(some, e);
                } else {
                    askTogether(some.subList(0, some.size() / 2));
                    askTogether(some.subList(some.size() / 2, some.size()));
                }
            } catch (PerdureException e) {
                if (e instanceof StoreException && e.code() != ErrorCode.STORE_CLOSED) {
                    awayNanos = environment.nanoTime();
                }
                failAll(some, e);
            } catch (RuntimeException | Error e) {
                fault(some, e);
            }
        }
    }
}
