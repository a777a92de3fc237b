package io.perdure.sdk.logging;

import org.slf4j.MDC;

/** What the log lines of the thread that calls say of themselves: SLF4J's MDC. Where no logging is set up nothing is put there: SLF4J would complain. */
public final class LineContext {
    private LineContext() {}

    /** From now on the lines of this thread say so, until it is removed. */
    public static void put(LogKey key, String value) {
        if (Logs.areSetUp()) {
            MDC.put(key.key(), value);
        }
    }

    /** And from now on they do not. */
    public static void remove(LogKey... keys) {
        if (Logs.areSetUp()) {
            for (LogKey key : keys) {
                MDC.remove(key.key());
            }
        }
    }
}
