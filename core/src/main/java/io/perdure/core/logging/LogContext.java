package io.perdure.core.logging;

import io.perdure.sdk.consumer.LoggedMessages;
import io.perdure.sdk.logging.LineContext;
import io.perdure.sdk.logging.LogKey;
import io.perdure.sdk.worker.LoggedRuns;
import io.perdure.sdk.worker.Surroundings;
import java.util.ServiceLoader;
import org.slf4j.MDC;
import org.slf4j.spi.SLF4JServiceProvider;

/** SLF4J's MDC, where the log lines of a thread get what they say of themselves. Where no logging is set up nothing is put there: SLF4J would complain. */
public final class LogContext implements LineContext {
    /** The one that there is in a process. */
    public static final LogContext OF_THREAD = new LogContext();

    private static final boolean THERE =
            ServiceLoader.load(SLF4JServiceProvider.class).findFirst().isPresent();

    private LogContext() {}

    /** What a worker tells of its runs, so that the lines of their steps say whose they are. */
    public static Surroundings ofRuns() {
        return THERE ? new LoggedRuns(OF_THREAD) : Surroundings.NONE;
    }

    /** What a consumer tells of its messages, so that the lines of its handlers say whose they are. */
    public static io.perdure.sdk.consumer.Surroundings ofMessages() {
        return THERE ? new LoggedMessages(OF_THREAD) : io.perdure.sdk.consumer.Surroundings.NONE;
    }

    @Override
    public void put(LogKey key, String value) {
        if (THERE) {
            MDC.put(key.key(), value);
        }
    }

    @Override
    public void remove(LogKey... keys) {
        if (THERE) {
            for (LogKey key : keys) {
                MDC.remove(key.key());
            }
        }
    }
}
