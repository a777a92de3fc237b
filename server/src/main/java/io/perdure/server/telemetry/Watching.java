package io.perdure.server.telemetry;

import io.perdure.core.OpenOptions;
import io.perdure.core.Perdure;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a server shows of itself: figures always, spans where there is a collector.
 *
 * @param spans absent where there is none
 */
public record Watching(Figures figures, @Nullable Spans spans) implements AutoCloseable {
    /**
     * Begins.
     *
     * @param collector where spans are sent to, if they are
     * @param headers what it is sent with every request
     */
    public static Watching of(@Nullable URI collector, Map<String, String> headers) {
        return of(collector, headers, Spans.EVERY);
    }

    /**
     * Creates a watching that sends spans at least this often, even if a flush fails.
     *
     * @param collector where spans are sent to, if they are
     * @param headers what it is sent with every request
     * @param every the longest time between two exports
     */
    public static Watching of(@Nullable URI collector, Map<String, String> headers, Duration every) {
        Figures figures = new Figures();
        return new Watching(
                figures,
                collector == null
                        ? null
                        : new Spans(
                                Spans.exporter(collector, headers),
                                every,
                                Origin.of(System.getenv()),
                                figures::missed));
    }

    /** The same options for an engine that is watched. */
    public OpenOptions of(OpenOptions options) {
        OpenOptions metered = options.meters(figures.registry());
        return spans == null ? metered : metered.openTelemetry(spans);
    }

    /** The figures, with those of the store as it stands now; as it last stood, where it does not say so in a moment. */
    public String text(Perdure engine) {
        engine.readMeters();
        return figures.text();
    }

    /** After the engine: its last spans are yet to be sent. */
    @Override
    public void close() {
        try (figures) {
            if (spans != null) {
                spans.close();
            }
        }
    }
}
