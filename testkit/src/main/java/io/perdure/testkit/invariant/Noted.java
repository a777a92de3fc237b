package io.perdure.testkit.invariant;

import java.time.Instant;
import java.util.Locale;

/**
 * A fact in its place in a trace.
 *
 * @param position its place, which is when its answer came
 * @param since the place where the trace stood when the call began. What was noted before {@code since} certainly came
 *     before this; what lies between the two may have happened at the same time
 * @param at the time by the store's clock when it was noted
 * @param by who saw it: the name of a worker, a receiver, a client
 */
public record Noted<F extends Fact>(int position, int since, Instant at, String by, F fact) {
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%5d %s %s: %s", position, at, by, fact);
    }
}
