package io.perdure.cli;

import java.util.logging.LogManager;

/**
 * Java's log manager, which goes on while the process ends. Java's own takes every handler away as soon as the process is told to end, while a
 * server still answers those who are under way.
 */
public final class LastingLogs extends LogManager {
    /** For Java, which is told its name before anything is logged. */
    public LastingLogs() {}

    @Override
    public void reset() {
        // Nothing is configured by a file, and what was configured in the code is to stay.
    }
}
