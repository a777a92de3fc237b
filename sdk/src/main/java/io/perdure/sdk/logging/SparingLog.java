package io.perdure.sdk.logging;

import io.perdure.sdk.environment.Environment;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A log for what can go wrong thousands of times in a second, for one reason. It writes so many lines within a span and counts the others; the
 * first line of the next span is preceded by one that tells how many those were. What is for debugging is neither counted nor held back: whoever
 * asks for that wants all of it.
 *
 * <p>Safe for many threads.
 */
public final class SparingLog {
    static final int MOST = 20;
    static final Duration SPAN = Duration.ofSeconds(10);

    private final System.Logger log;
    private final LongSupplier nanoTime;
    private long begunNanos;
    private int written;
    private long leftOut;

    /** Writes to the logger of the package that this class is in. */
    public SparingLog(Class<?> owner, Environment environment) {
        this(Logs.of(owner), environment::nanoTime);
    }

    SparingLog(System.Logger log, LongSupplier nanoTime) {
        this.log = log;
        this.nanoTime = nanoTime;
        this.begunNanos = nanoTime.getAsLong();
    }

    /** Writes a line, or counts it. */
    public void log(Level level, Supplier<String> line) {
        log(level, line, null);
    }

    /** The same with what was thrown. */
    public void log(Level level, Supplier<String> line, @Nullable Throwable thrown) {
        if (!isWritten(level)) {
            return;
        }
        if (thrown == null) {
            log.log(level, line);
        } else {
            log.log(level, line, thrown);
        }
    }

    /**
     * Writes a line with an error, or counts it.
     *
     * @param thrown makes the error, if the line is written
     */
    public void logWith(Level level, Supplier<String> line, Supplier<? extends Throwable> thrown) {
        if (isWritten(level)) {
            log.log(level, line, thrown.get());
        }
    }

    /** Whether a line is written now. If lines were left out before it, this writes how many. */
    private boolean isWritten(Level level) {
        if (!log.isLoggable(level)) {
            return false;
        }
        if (level.getSeverity() > Level.DEBUG.getSeverity()) {
            long before = admitted();
            if (before < 0) {
                return false;
            }
            if (before > 0) {
                log.log(level, before + " lines like these were left out before this one.");
            }
        }
        return true;
    }

    /** How many lines were left out before this one; -1 where it is one of them. */
    private synchronized long admitted() {
        long now = nanoTime.getAsLong();
        if (now - begunNanos >= SPAN.toNanos()) {
            begunNanos = now;
            written = 0;
        }
        if (written == MOST) {
            leftOut++;
            return -1;
        }
        written++;
        long before = leftOut;
        leftOut = 0;
        return before;
    }
}
