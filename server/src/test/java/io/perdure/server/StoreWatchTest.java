package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Opened;
import io.perdure.core.Perdure;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.ForwardingEnvironment;
import io.perdure.sdk.environment.SystemEnvironment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether a store is there is found out by reading it, once for all who ask within a moment. */
class StoreWatchTest {
    @TempDir
    private Path directory;

    private final Stopped time = new Stopped(new SystemEnvironment(), new AtomicLong());
    private FailingStore store;
    private Perdure engine;
    private StoreWatch watch;

    @BeforeEach
    void open() {
        store = FailingStore.open("jdbc:sqlite:" + directory.resolve("store.db"));
        engine = Opened.over(store);
        watch = new StoreWatch(engine, time);
    }

    @AfterEach
    void close() {
        watch.close();
        engine.close();
    }

    @Test
    void aStoreThatTellsTheTimeAndCannotBeReadIsNotThere() {
        store.failsToFind(true);
        assertThat(engine.now()).isNotNull();

        assertThat(watch.isThere()).isFalse();
    }

    @Test
    void manyWhoAskWithinAMomentCostOneLook() {
        for (int asked = 0; asked < 100; asked++) {
            assertThat(watch.isThere()).isTrue();
        }
        assertThat(store.looks()).isEqualTo(1);

        store.failsToFind(true);
        time.pass(StoreWatch.FRESH.minusNanos(1));
        assertThat(watch.isThere()).isTrue();
        time.pass(Duration.ofNanos(1));
        assertThat(watch.isThere()).isFalse();
        assertThat(store.looks()).isEqualTo(2);
    }

    @Test
    void aStoreThatIsBackIsNoticedAsSoon() {
        store.failsToFind(true);
        assertThat(watch.isThere()).isFalse();
        store.failsToFind(false);

        time.pass(StoreWatch.FRESH);
        assertThat(watch.isThere()).isTrue();
    }

    /** Time that passes when it is told to. */
    private record Stopped(Environment real, AtomicLong nanos) implements ForwardingEnvironment {
        void pass(Duration length) {
            nanos.addAndGet(length.toNanos());
        }

        @Override
        public long nanoTime() {
            return nanos.get();
        }
    }
}
