package io.perdure.core.telemetry;

import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.logging.SparingLog;
import java.lang.System.Logger.Level;

/**
 * Tells those who watch, and lets nothing that they throw reach what is watched: a commit is durable, and a step has returned, whatever a registry or a
 * tracer makes of it. What they missed is counted, and complained of now and then.
 */
final class Teller {
    private final SparingLog log;
    private final Runnable missed;

    /**
     * Tells.
     *
     * @param missed is told of each thing that could not be told
     */
    Teller(Environment environment, Runnable missed) {
        this.log = new SparingLog(Teller.class, environment);
        this.missed = missed;
    }

    void tell(Runnable what) {
        try {
            what.run();
        } catch (Throwable e) {
            // Errors too: a registry of another version is one.
            complain(e);
        }
    }

    private void complain(Throwable thrown) {
        log.log(Level.WARNING, () -> "Meters and traces miss something.", thrown);
        try {
            missed.run();
        } catch (Throwable e) {
            // The registry that is told of it may be what is broken.
            log.log(Level.DEBUG, () -> "And that is not counted.", e);
        }
    }
}
