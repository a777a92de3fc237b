package io.perdure.client;

import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Lets many callers share requests. One is under way at a time, and the next takes all that came meanwhile, in the order it came: a lone caller's goes at
 * once, and under load hundreds cost one request, and the server one flush. Where a shared one is refused each is asked alone, so that
 * everybody hears of nothing but their own. Safe for many threads.
 */
final class Gathering<T, R> {
    private final Calls calls;
    private final String name;
    private final Bound bound;
    private final ToIntFunction<T> count;
    private final ToIntFunction<T> bytes;
    private final Function<List<T>, List<R>> ask;
    private final Queue<Item<T, R>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean busy = new AtomicBoolean();
    /** Taken, and too much for the request before. */
    private @Nullable Item<T, R> carried;

    /** How much one request may carry; one that has more by itself goes alone. */
    record Bound(int count, int bytes) {}

    /** What one caller asks, and what it will hear. */
    private record Item<T, R>(T what, Later<R> answer) {}

    /**
     * Gathers what is asked by {@code ask}, which answers each in its place.
     *
     * @param name of the thread that asks
     * @param count how much of the bound's count one takes
     */
    Gathering(
            Calls calls,
            String name,
            Bound bound,
            ToIntFunction<T> count,
            ToIntFunction<T> bytes,
            Function<List<T>, List<R>> ask) {
        this.calls = calls;
        this.name = name;
        this.bound = bound;
        this.count = count;
        this.bytes = bytes;
        this.ask = ask;
    }

    Later<R> hand(T what) {
        Later<R> answer = new Later<>();
        waiting.add(new Item<>(what, answer));
        goOn();
        return answer;
    }

    private void goOn() {
        if (busy.compareAndSet(false, true)) {
            calls.environment().start(name, this::work);
        }
    }

    private void work() {
        for (List<Item<T, R>> some = take(); !some.isEmpty(); some = take()) {
            askTogether(some);
        }
        busy.set(false);
        if (!waiting.isEmpty()) {
            // Handed over after the last look, by who still saw this at work.
            goOn();
        }
    }

    private List<Item<T, R>> take() {
        List<Item<T, R>> some = new ArrayList<>();
        long counted = 0;
        long weighed = 0;
        while (true) {
            Item<T, R> next = carried == null ? waiting.poll() : carried;
            carried = null;
            if (next == null) {
                return some;
            }
            counted += count.applyAsInt(next.what());
            weighed += bytes.applyAsInt(next.what());
            if (!some.isEmpty() && (counted > bound.count() || weighed > bound.bytes())) {
                carried = next;
                return some;
            }
            some.add(next);
        }
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
                fail(some, e);
            } else {
                some.forEach(item -> askTogether(List.of(item)));
            }
        } catch (RuntimeException | Error e) {
            fail(some, e);
        }
    }

    private void fail(List<Item<T, R>> some, Throwable why) {
        some.forEach(item ->
                item.answer().fail(why instanceof PerdureException ours ? Shared.copy(ours, ours.what()) : why));
    }
}
