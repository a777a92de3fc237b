package io.perdure.server.http;

import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.stream.LongStream;

/**
 * Counts answers by what was asked for and their status, and measures how long they took. What was asked for is the name of an operation: however many addresses
 * callers invent, there are as many time series as operations and statuses. Put it before all other filters. Safe for many threads.
 */
public final class RequestFigures implements Filter {
    /** What was asked for where it is no operation. */
    private static final String NONE = "none";

    private static final ScopedValue<Asked> ASKED = ScopedValue.newInstance();

    private static final Duration[] BUCKETS = LongStream.of(
                    5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final Environment environment = new SystemEnvironment();
    private final MeterRegistry registry;
    private final Map<Answered, Counter> answers = new ConcurrentHashMap<>();
    private final Map<String, Timer> times = new ConcurrentHashMap<>();

    /** What a request turns out to ask for. */
    private static final class Asked {
        private String operation = NONE;
    }

    private record Answered(String operation, int status) {}

    /**
     * Counts there.
     *
     * @param underWay how many requests that carry a body or write are under way now
     * @param waiting how many wait for something to happen
     */
    public RequestFigures(MeterRegistry registry, IntSupplier underWay, IntSupplier waiting) {
        this.registry = registry;
        Gauge.builder("perdure.http.requests.under.way", underWay::getAsInt)
                .description("Requests with a body, or that write, that are under way")
                .register(registry);
        Gauge.builder("perdure.http.requests.waiting", waiting::getAsInt)
                .description("Requests that wait for something to happen")
                .register(registry);
    }

    /** From here on it is known what the request asks for. */
    public static void say(String operation) {
        if (ASKED.isBound()) {
            ASKED.get().operation = operation;
        }
    }

    /** The same for all that comes to a handler. */
    public static Handler named(String operation, Handler handler) {
        return (request, response) -> {
            say(operation);
            handler.handle(request, response);
        };
    }

    @Override
    public void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
        Asked asked = new Asked();
        long begun = environment.nanoTime();
        try {
            ScopedValue.where(ASKED, asked).run(chain::proceed);
        } finally {
            count(asked.operation, response.status().code(), environment.nanoTime() - begun);
        }
    }

    /** Counts a request that could not be read, and was answered with the given status. */
    public void countUnreadable(int status) {
        count(NONE, status);
    }

    private void count(String operation, int status, long nanos) {
        count(operation, status);
        times.computeIfAbsent(operation, this::timer).record(Duration.ofNanos(nanos));
    }

    private void count(String operation, int status) {
        answers.computeIfAbsent(new Answered(operation, status), this::counter).increment();
    }

    private Counter counter(Answered of) {
        return Counter.builder("perdure.http.requests")
                .description("Requests that were answered")
                .tag("operation", of.operation())
                .tag("status", Integer.toString(of.status()))
                .register(registry);
    }

    private Timer timer(String operation) {
        return Timer.builder("perdure.http.request")
                .description("How long requests took to be answered, their waits included")
                .tag("operation", operation)
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }
}
