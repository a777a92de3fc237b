package io.perdure.core.telemetry;

import io.perdure.sdk.environment.Environment;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * What is done for those who watch after a commit was answered. Spans go by themselves: a tracer that is slow is not to keep runs from being looked up, and
 * so counted.
 *
 * @param lookups reads what a commit does not say
 * @param spans hands spans to the tracer, which may take its time
 */
record Aside(Errands lookups, Errands spans) implements AutoCloseable {
    /**
     * Nothing is to be done yet.
     *
     * @param most how many of each may wait
     * @param atEnd how long {@link #close} waits for each of the two
     * @param missed is told of what was not done
     */
    static Aside of(Environment environment, int most, Duration atEnd, Consumer<Missed> missed) {
        return new Aside(
                new Errands(
                        "perdure-telemetry", environment, most, atEnd, new Teller(environment, Missed.LOOKUP, missed)),
                new Errands("perdure-traces", environment, most, atEnd, new Teller(environment, Missed.SPAN, missed)));
    }

    /** Does what is yet to be done, each for a while: what was looked up may have its spans, too. */
    @Override
    public void close() {
        lookups.close();
        spans.close();
    }
}
