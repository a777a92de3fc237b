package io.perdure.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.sdk.consumer.QueueBackend;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SearchesTest {
    private static final QueueName QUEUE = new QueueName("mail");

    @TempDir
    private Path directory;

    private final AtomicLong now = new AtomicLong();
    private final Searches searches = new Searches(now::get, 2);
    private Perdure engine;

    @BeforeEach
    void open() {
        engine = Perdure.open("jdbc:sqlite:" + directory.resolve("store.db"));
        engine.createQueue(QUEUE.value());
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private static Searches.Searcher somebody() {
        return new Searches.Searcher(TenantId.DEFAULT, QUEUE, UUID.randomUUID());
    }

    @Test
    void whatWasLeftIsTakenOnce() {
        Searches.Searcher searcher = somebody();
        QueueBackend backend = engine.backend(QUEUE);
        searches.leave(searcher, backend);

        assertThat(searches.take(somebody())).isEmpty();
        assertThat(searches.take(new Searches.Searcher(new TenantId("stranger"), QUEUE, searcher.consumer())))
                .isEmpty();
        assertThat(searches.take(searcher)).containsSame(backend);
        assertThat(searches.take(searcher)).isEmpty();
    }

    @Test
    void whatIsNotTakenForAMinuteIsDropped() {
        Searches.Searcher searcher = somebody();
        searches.leave(searcher, engine.backend(QUEUE));
        now.addAndGet(Duration.ofMinutes(1).toNanos());
        searches.leave(searcher, searches.take(searcher).orElseThrow());
        now.addAndGet(Duration.ofMinutes(1).toNanos() + 1);

        assertThat(searches.take(searcher)).isEmpty();
    }

    @Test
    void theOldestGoesWhereThereAreTooMany() {
        Searches.Searcher first = somebody();
        Searches.Searcher second = somebody();
        searches.leave(first, engine.backend(QUEUE));
        searches.leave(second, engine.backend(QUEUE));
        searches.leave(first, engine.backend(QUEUE));
        searches.leave(somebody(), engine.backend(QUEUE));

        assertThat(searches.take(second)).isEmpty();
        assertThat(searches.take(first)).isPresent();
    }
}
