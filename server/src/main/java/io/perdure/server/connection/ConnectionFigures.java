package io.perdure.server.connection;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** How many connections are open, and why others ended. Safe for many threads. */
final class ConnectionFigures {
    private final Map<ConnectionEnd, Counter> ended = new EnumMap<>(ConnectionEnd.class);

    ConnectionFigures(MeterRegistry meters, Connections connections) {
        Gauge.builder("perdure.http.connections", connections::count)
                .description("Connections that are open")
                .register(meters);
        for (ConnectionEnd end : ConnectionEnd.values()) {
            ended.put(
                    end,
                    Counter.builder("perdure.http.connections.ended")
                            .description("Connections that ended")
                            .tag("why", end.word())
                            .register(meters));
        }
    }

    void count(ConnectionEnd end) {
        Objects.requireNonNull(ended.get(end)).increment();
    }
}
