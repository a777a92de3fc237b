package io.perdure.client;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.wire.Seconds;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;

/** Asks for something until it is there, or the time is over: each time the server holds its answer back for a while. */
final class Polls {
    /** How long the server is asked to hold an answer back at most. */
    static final Duration LONGEST = Duration.ofSeconds(30);

    /** A server that does not hold it back is not asked again sooner than this. */
    private static final Duration SHORTEST = Duration.ofMillis(100);

    private final Calls calls;
    private final Environment environment;

    Polls(Calls calls) {
        this.calls = calls;
        this.environment = calls.environment();
    }

    /**
     * Asks until the answer is what is waited for; answers the last one where the time is over before. {@code PD-312} where the waiter is
     * interrupted, whose flag stays set.
     *
     * @param path to which a parameter {@code wait} is added
     * @param what is waited for, for who reads the error
     */
    <T> T until(String path, String what, Duration atMost, Function<Json, T> read, Predicate<T> isIt) {
        long deadline = environment.nanoTime() + Math.min(TimeUnit.NANOSECONDS.convert(atMost), Long.MAX_VALUE / 2);
        try {
            while (true) {
                long asked = environment.nanoTime();
                Duration left = Duration.ofNanos(Math.max(0, deadline - asked));
                Duration wait = (left.compareTo(LONGEST) < 0 ? left : LONGEST).truncatedTo(ChronoUnit.MILLIS);
                T answer = calls.ask(poll(path, wait, left), read);
                if (isIt.test(answer) || wait.isZero() || environment.nanoTime() - deadline >= 0) {
                    return answer;
                }
                Duration took = Duration.ofNanos(environment.nanoTime() - asked);
                if (took.compareTo(SHORTEST) < 0) {
                    calls.rest(SHORTEST.minus(took));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted(what, e);
        } catch (PerdureException e) {
            throw Thread.currentThread().isInterrupted() && e.code() != ErrorCode.STORE_CLOSED
                    ? interrupted(what, e)
                    : e;
        }
    }

    private Call poll(String path, Duration wait, Duration left) {
        Duration patience = calls.patience();
        return Call.get(path + (path.contains("?") ? "&" : "?") + "wait=" + Seconds.of(wait))
                .waiting(wait)
                .patience(left.compareTo(patience) < 0 ? left : patience);
    }

    private static RefusedException interrupted(String what, Exception cause) {
        return new RefusedException(ErrorCode.NO_RESULT_YET, "The wait for %s was interrupted.".formatted(what), cause);
    }
}
