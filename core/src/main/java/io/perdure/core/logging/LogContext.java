package io.perdure.core.logging;

import io.perdure.sdk.logging.LogKey;
import java.util.ServiceLoader;
import org.slf4j.MDC;
import org.slf4j.spi.SLF4JServiceProvider;

/** What the log lines of this thread say of themselves: SLF4J's MDC. */
public final class LogContext {
    private static final boolean THERE =
            ServiceLoader.load(SLF4JServiceProvider.class).findFirst().isPresent();

    private LogContext() {}

    /** Whether logging is set up. Where it is not, nothing is put there: SLF4J would complain of that. */
    public static boolean isThere() {
        return THERE;
    }

    /** From now on the lines of this thread say so, until it is removed. */
    public static void put(LogKey key, String value) {
        if (THERE) {
            MDC.put(key.key(), value);
        }
    }

    /** And from now on they do not. */
    public static void remove(LogKey... keys) {
        if (THERE) {
            for (LogKey key : keys) {
                MDC.remove(key.key());
            }
        }
    }
}
