package io.perdure.sdk.worker;

import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.history.Recorded;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/** Waits out short delays where the run is; for longer ones it is let go of. */
final class Pauses {
    private final Environment environment;
    private final Duration longest;
    private final Tenure tenure;

    Pauses(Worker worker, Tenure tenure) {
        this.environment = worker.environment();
        this.longest = worker.limits().workers().waitInMemory();
        this.tenure = tenure;
    }

    boolean isLong(Duration delay) {
        return delay.compareTo(longest) > 0;
    }

    /** Waits for the rest of a delay that was recorded before. */
    void rest(Instant until) {
        pause(Duration.between(tenure.now(), until), until);
    }

    /** Waits for a short delay that was recorded just now. The times that the store gave it may be those of a clock that was set back meanwhile. */
    void rest(Duration delay) {
        pause(delay);
    }

    /**
     * Waits until a time that was recorded just now.
     *
     * @param mayBeHeld whether the record may have the time of an earlier event, because the clock was set back. How far it went back, only the store
     *     knows, so the run is let go of until then
     */
    void rest(Recorded delayed, boolean mayBeHeld) {
        Instant until = endOf(delayed);
        if (mayBeHeld) {
            throw new Suspension(new Command.Rest(until));
        }
        pause(Duration.between(delayed.at(), until), until);
    }

    static Instant endOf(Recorded delayed) {
        return Objects.requireNonNull(delayed.until(), "a delay has an end");
    }

    private void pause(Duration left, Instant until) {
        if (isLong(left)) {
            throw new Suspension(new Command.Rest(until));
        }
        pause(left);
    }

    private void pause(Duration left) {
        if (left.isPositive()) {
            // The code may have left the flag set; it is not meant for us, and would end every wait at once.
            Thread.interrupted();
            try {
                environment.sleep(left);
            } catch (InterruptedException e) {
                throw new Suspension(new Command.Yield());
            }
        }
    }
}
