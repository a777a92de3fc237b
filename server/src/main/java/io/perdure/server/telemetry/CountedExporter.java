package io.perdure.server.telemetry;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.function.IntConsumer;

/**
 * Sends spans by another exporter, and tells how many did not get there.
 *
 * @param missed is told of each batch that could not be sent
 */
record CountedExporter(SpanExporter exporter, IntConsumer missed) implements SpanExporter {
    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        CompletableResultCode sent = exporter.export(spans);
        int count = spans.size();
        return sent.whenComplete(() -> {
            if (!sent.isSuccess()) {
                missed.accept(count);
            }
        });
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}
