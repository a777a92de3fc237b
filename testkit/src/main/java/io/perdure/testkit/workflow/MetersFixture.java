package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.perdure.core.OpenOptions;
import io.perdure.core.Perdure;
import io.perdure.sdk.environment.SystemEnvironment;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A store of its own for each test, the engine over it, and the registry that is told what it does. */
abstract class MetersFixture {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Supplier<String> freshUrl;
    private final SystemEnvironment environment = new SystemEnvironment();
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    String url = "";
    Perdure perdure;

    @SuppressWarnings("NullAway.Init") // Opened before each test.
    MetersFixture(Supplier<String> freshUrl) {
        this.freshUrl = freshUrl;
    }

    @BeforeEach
    final void open() {
        url = freshUrl.get();
        perdure = Perdure.open(url, OpenOptions.defaults().meters(registry));
    }

    @AfterEach
    final void close() {
        perdure.close();
    }

    double counted(String name, String... tags) {
        Counter counter = registry.find(name).tags(tags).counter();
        return counter == null ? 0 : counter.count();
    }

    long timed(String name, String... tags) {
        Timer timer = registry.find(name).tags(tags).timer();
        return timer == null ? 0 : timer.count();
    }

    double shown(String name, String... tags) {
        perdure.readMeters();
        Gauge gauge = registry.find(name).tags(tags).gauge();
        return gauge == null ? 0 : gauge.value();
    }

    void eventually(BooleanSupplier holds) throws InterruptedException {
        long began = environment.nanoTime();
        while (!holds.getAsBoolean()) {
            assertThat(environment.nanoTime() - began).isLessThan(PATIENCE.toNanos());
            environment.sleep(Duration.ofMillis(10));
        }
    }

    /**
     * Closes the engine once that holds, and nothing is counted any more. The store shows a change, and hands out a result, before the process that
     * made the change has counted it.
     */
    void closeOnce(BooleanSupplier holds) throws InterruptedException {
        eventually(holds);
        perdure.close();
    }

    /** Waits until a gauge shows a value: reading the store anew is waited for a moment only. */
    void awaitShown(double value, String name, String... tags) throws InterruptedException {
        eventually(() -> shown(name, tags) == value);
    }
}
