package io.perdure.core.logging;

import java.util.ServiceLoader;
import org.slf4j.spi.SLF4JServiceProvider;

/** The context of log lines, SLF4J's MDC. */
public final class LogContext {
    private LogContext() {}

    /** Whether logging is set up. Where it is not, nothing may be put there: SLF4J would complain of that. */
    public static boolean isThere() {
        return ServiceLoader.load(SLF4JServiceProvider.class).findFirst().isPresent();
    }
}
