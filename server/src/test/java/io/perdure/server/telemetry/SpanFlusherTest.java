package io.perdure.server.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SpanFlusherTest {
    @Test
    void close_whileAFlushIsInProgress_endsTheThread() throws Exception {
        CompletableFuture<Thread> flushing = new CompletableFuture<>();
        CompletableResultCode never = new CompletableResultCode();
        SpanFlusher flusher = new SpanFlusher(() -> {
            flushing.complete(Thread.currentThread());
            return never;
        });
        flusher.ask();
        Thread thread = flushing.get(60, TimeUnit.SECONDS);

        flusher.close();

        assertThat(thread.isAlive()).isFalse();
    }
}
