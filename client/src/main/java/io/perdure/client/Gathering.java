package io.perdure.client;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lets many callers share requests. Only so many are under way at a time; what comes meanwhile goes with the next one, in the order it came. So a lone
 * caller's goes at once, and under load hundreds cost one request, and the server one flush. With one at a time, all arrives in that order.
 *
 * <p>Where a shared request is refused its halves are asked for, until whoever it is refused for is alone: the others do not hear of it. What is asked for
 * has to bear that it is asked again. Who waits while a request is tried again waits for its own tries after that. Safe for many threads.
 */
final class Gathering<T, R> {
    private final Calls calls;
    private final String name;
    private final Bound bound;
    private final Function<List<T>, List<R>> ask;
    private final Queue<Item<T, R>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger lanes = new AtomicInteger();

    /**
     * How much is asked at once.
     *
     * @param lanes most requests under way
     * @param count how much one request may carry; one that has more by itself goes alone
     * @param bytes the same in bytes
     */
    record Bound(int lanes, int count, int bytes) {}

    /** What one caller asks, and what it will hear. */
    private record Item<T, R>(T what, int count, int bytes, Later<R> answer) {}

    /**
     * Gathers what is asked by {@code ask}, which answers each in its place.
     *
     * @param name of the threads that ask
     */
    Gathering(Calls calls, String name, Bound bound, Function<List<T>, List<R>> ask) {
        this.calls = calls;
        this.name = name;
        this.bound = bound;
        this.ask = ask;
    }

    /** Asks, for something that counts so much and has so many bytes. */
    Later<R> hand(T what, int count, int bytes) {
        Item<T, R> item = new Item<>(what, count, bytes, new Later<>());
        waiting.add(item);
        goOn();
        return item.answer();
    }

    private void goOn() {
        int open = lanes.get();
        while (open < bound.lanes()) {
            if (lanes.compareAndSet(open, open + 1)) {
                begin();
                return;
            }
            open = lanes.get();
        }
    }

    private void begin() {
        try {
            calls.environment().start(name, this::work);
        } catch (RuntimeException | Error e) {
            lanes.decrementAndGet();
            // Nobody else may come to ask for them.
            for (Item<T, R> item = waiting.poll(); item != null; item = waiting.poll()) {
                item.answer().fail(fault(e));
            }
        }
    }

    private void work() {
        try {
            List<Item<T, R>> some = new ArrayList<>();
            Item<T, R> left = fill(some, null);
            while (!some.isEmpty()) {
                askTogether(some);
                some = new ArrayList<>();
                left = fill(some, left);
            }
        } finally {
            lanes.decrementAndGet();
        }
        if (!waiting.isEmpty()) {
            // Handed over after the last look, by who still saw this at work.
            goOn();
        }
    }

    /** Takes what may go together, first of all what was left before; answers what is left now. */
    private @Nullable Item<T, R> fill(List<Item<T, R>> some, @Nullable Item<T, R> leftBefore) {
        long count = 0;
        long bytes = 0;
        for (Item<T, R> next = leftBefore == null ? waiting.poll() : leftBefore; next != null; next = waiting.poll()) {
            count += next.count();
            bytes += next.bytes();
            if (!some.isEmpty() && (count > bound.count() || bytes > bound.bytes())) {
                return next;
            }
            some.add(next);
        }
        return null;
    }

    private void askTogether(List<Item<T, R>> some) {
        try {
            List<R> answers = ask.apply(some.stream().map(Item::what).toList());
            for (int i = 0; i < some.size(); i++) {
                R answer = answers.get(i);
                some.get(i).answer().complete(() -> answer);
            }
        } catch (RefusedException | InvalidValueException e) {
            if (some.size() == 1) {
                some.getFirst().answer().fail(e);
            } else if (concernsAll(e)) {
                failAll(some, e);
            } else {
                askTogether(some.subList(0, some.size() / 2));
                askTogether(some.subList(some.size() / 2, some.size()));
            }
        } catch (PerdureException e) {
            failAll(some, e);
        } catch (RuntimeException | Error e) {
            some.forEach(item -> item.answer().fail(fault(e)));
        }
    }

    /** Whether each would be refused for it, whoever it is. */
    private static boolean concernsAll(PerdureException why) {
        return switch (why.code()) {
            case NO_VALID_KEY, KEY_NOT_ALLOWED, PROTOCOL_MISMATCH, TOO_MANY_REQUESTS -> true;
            default -> false;
        };
    }

    private static void failAll(List<? extends Item<?, ?>> some, PerdureException why) {
        some.forEach(item -> item.answer().fail(OwnError.of(why, why.what())));
    }

    private static StoreException fault(Throwable why) {
        return new StoreException(ErrorCode.FAULT, "The request could not be sent.", why);
    }
}
