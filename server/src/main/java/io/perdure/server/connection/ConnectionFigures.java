package io.perdure.server.connection;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** How many connections are open, and why others ended. Safe for many threads. */
final class ConnectionFigures {
    private final Map<End, Counter> ended = new EnumMap<>(End.class);

    ConnectionFigures(MeterRegistry meters, Connections connections) {
        Gauge.builder("perdure.http.connections", connections::count)
                .description("Connections that are open")
                .register(meters);
        for (End end : End.values()) {
            ended.put(
                    end,
                    Counter.builder("perdure.http.connections.ended")
                            .description("Connections that ended")
                            .tag("why", end.word())
                            .register(meters));
        }
    }

    void count(End end) {
        Objects.requireNonNull(ended.get(end)).increment();
    }
}
