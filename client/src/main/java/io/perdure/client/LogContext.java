package io.perdure.client;

import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.logging.LogKey;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.trace.TraceContext;
import io.perdure.sdk.worker.Assignment;
import io.perdure.sdk.worker.Surroundings;
import io.perdure.sdk.workflow.Attempt;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.slf4j.spi.SLF4JServiceProvider;

/** Puts into SLF4J's MDC what a thread works on, so that its log lines say whose they are: as the engine does in its own process. */
final class LogContext {
    /** Where logging is not set up SLF4J would complain of whoever uses it. */
    private static final boolean THERE =
            ServiceLoader.load(SLF4JServiceProvider.class).findFirst().isPresent();

    private LogContext() {}

    static Surroundings ofRuns() {
        return THERE ? new OfRuns() : Surroundings.NONE;
    }

    static io.perdure.sdk.consumer.Surroundings ofMessages() {
        return THERE ? new OfMessages() : io.perdure.sdk.consumer.Surroundings.NONE;
    }

    private static void put(LogKey key, String value) {
        MDC.put(key.key(), value);
    }

    private static void remove(LogKey... keys) {
        for (LogKey key : keys) {
            MDC.remove(key.key());
        }
    }

    private static final class OfRuns implements Surroundings {
        @Override
        public void enterRun(Assignment run) {
            put(LogKey.RUN, run.held().run().toString());
            put(LogKey.WORKFLOW, run.workflow().value());
        }

        @Override
        public TraceContext enterStep(Attempt attempt) {
            put(LogKey.STEP, attempt.step().value());
            put(LogKey.ATTEMPT, Integer.toString(attempt.number()));
            return attempt.trace();
        }

        @Override
        public void leaveStep(@Nullable Throwable error) {
            remove(LogKey.STEP, LogKey.ATTEMPT);
        }

        @Override
        public void leaveRun() {
            remove(LogKey.RUN, LogKey.WORKFLOW);
        }
    }

    private static final class OfMessages implements io.perdure.sdk.consumer.Surroundings {
        @Override
        public void enter(QueueName queue, Delivery delivery) {
            put(LogKey.MESSAGE, delivery.id().toString());
            put(LogKey.QUEUE, queue.value());
            put(LogKey.ATTEMPT, Integer.toString(delivery.attempts()));
        }

        @Override
        public void leave() {
            remove(LogKey.MESSAGE, LogKey.QUEUE, LogKey.ATTEMPT);
        }
    }
}
