package io.perdure.core.telemetry;

import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.logging.SparingLog;
import java.lang.System.Logger.Level;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Tells those who watch, and lets nothing that they throw reach what is watched: a commit is durable, and a step has returned, whatever a registry or a
 * tracer makes of it. What they missed is counted, and complained of now and then.
 */
final class Teller {
    private final SparingLog log;
    private final Missed what;
    private final Consumer<Missed> counted;

    /**
     * Tells.
     *
     * @param what is missed where this cannot tell something
     * @param counted is told of each such thing
     */
    Teller(Environment environment, Missed what, Consumer<Missed> counted) {
        this.log = new SparingLog(Teller.class, environment);
        this.what = what;
        this.counted = counted;
    }

    void tell(Runnable telling) {
        try {
            telling.run();
        } catch (Throwable e) {
            // Errors too: a registry of another version is one.
            log.log(Level.WARNING, what::line, e);
            count();
        }
    }

    /** Something could not be told, for this reason. */
    void miss(Supplier<String> why) {
        log.log(Level.WARNING, () -> what.line() + " " + why.get());
        count();
    }

    private void count() {
        try {
            counted.accept(what);
        } catch (Throwable e) {
            // The registry that is told of it may be what is broken.
            log.log(Level.DEBUG, () -> "And that is not counted.", e);
        }
    }
}
