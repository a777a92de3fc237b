package io.perdure.client;

import io.perdure.sdk.consumer.LoggedMessages;
import io.perdure.sdk.logging.LineContext;
import io.perdure.sdk.logging.LogKey;
import io.perdure.sdk.worker.LoggedRuns;
import io.perdure.sdk.worker.Surroundings;
import java.util.ServiceLoader;
import org.slf4j.MDC;
import org.slf4j.spi.SLF4JServiceProvider;

/** SLF4J's MDC, where the log lines of workers and consumers get what they say of themselves: as the engine has it in its own process. */
final class LogContext implements LineContext {
    /** Where logging is not set up SLF4J would complain of whoever uses it. */
    private static final boolean THERE =
            ServiceLoader.load(SLF4JServiceProvider.class).findFirst().isPresent();

    private LogContext() {}

    static Surroundings ofRuns() {
        return THERE ? new LoggedRuns(new LogContext()) : Surroundings.NONE;
    }

    static io.perdure.sdk.consumer.Surroundings ofMessages() {
        return THERE ? new LoggedMessages(new LogContext()) : io.perdure.sdk.consumer.Surroundings.NONE;
    }

    @Override
    public void put(LogKey key, String value) {
        MDC.put(key.key(), value);
    }

    @Override
    public void remove(LogKey... keys) {
        for (LogKey key : keys) {
            MDC.remove(key.key());
        }
    }
}
