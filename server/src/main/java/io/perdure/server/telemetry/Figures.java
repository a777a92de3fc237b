package io.perdure.server.telemetry;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.perdure.server.http.Release;
import java.util.List;

/** The meters of a server and of the process that it is, as Prometheus reads them. */
public final class Figures implements AutoCloseable {
    /** How they are written. */
    public static final String MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();

    public Figures() {
        collections.bindTo(registry);
        List.of(new JvmMemoryMetrics(), new JvmThreadMetrics(), new ProcessorMetrics(), new UptimeMetrics())
                .forEach(meters -> meters.bindTo(registry));
        Gauge.builder("perdure.build.info", () -> 1)
                .description("Always 1: which release this is")
                .tag("version", Release.running())
                .register(registry);
    }

    /** Counts spans that did not get to their collector, where the engine counts what no figure and no trace tells of. */
    void missed(int spans) {
        registry.counter("perdure.telemetry.dropped", "what", "span").increment(spans);
    }

    /** Where an engine puts its meters. */
    public MeterRegistry registry() {
        return registry;
    }

    /** All of them, as they are now. */
    public String text() {
        return registry.scrape();
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
