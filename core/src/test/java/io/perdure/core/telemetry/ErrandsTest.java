package io.perdure.core.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.environment.SystemEnvironment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is done aside: nobody waits for it, and what is not done is counted. */
class ErrandsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final SystemEnvironment environment = new SystemEnvironment();
    private final List<Missed> missed = new CopyOnWriteArrayList<>();
    private final List<Integer> done = new CopyOnWriteArrayList<>();
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final Logger log = Logger.getLogger(ErrandsTest.class.getPackageName());
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord logged) {
            lines.add(logged.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        log.setUseParentHandlers(false);
        log.addHandler(handler);
    }

    @AfterEach
    void stopListening() {
        log.removeHandler(handler);
        log.setUseParentHandlers(true);
    }

    private Errands errands(int most) {
        return new Errands("errands", environment, most, PATIENCE, new Teller(environment, Missed.SPAN, missed::add));
    }

    /** As a tracer is whose collector does not answer. */
    private void slow() {
        begun.countDown();
        try {
            goOn.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        done.add(0);
    }

    @Test
    void whoeverHandsOneOverGoesOnAndWhatThereIsNoRoomForIsCountedAndLogged() throws InterruptedException {
        Errands errands = errands(2);
        errands.add(this::slow);
        begun.await();
        for (int i = 1; i <= 3; i++) {
            int number = i;
            errands.add(() -> done.add(number));
        }
        assertThat(done).isEmpty();
        assertThat(missed).containsExactly(Missed.SPAN);
        assertThat(lines).containsExactly("A trace lacks a span. There is no room for more than 2 that wait.");
        goOn.countDown();
        errands.close();
        assertThat(done).containsExactly(0, 1, 2);
        assertThat(missed).hasSize(1);
    }

    @Test
    void oneThatFailsIsCountedAndTheOthersAreDone() {
        Errands errands = errands(10);
        errands.add(() -> {
            throw new NoSuchMethodError("as it should");
        });
        errands.add(() -> done.add(1));
        errands.close();
        assertThat(done).containsExactly(1);
        assertThat(missed).containsExactly(Missed.SPAN);
    }

    @Test
    void whoeverClosesInAHurryDoesNotWaitAndWhatIsLeftIsCounted() throws InterruptedException {
        Errands errands = errands(10);
        errands.add(this::slow);
        begun.await();
        errands.add(() -> done.add(1));
        errands.add(() -> done.add(2));
        Thread.currentThread().interrupt();
        errands.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(done).isEmpty();
        assertThat(missed).containsExactly(Missed.SPAN, Missed.SPAN);
        goOn.countDown();
    }

    @Test
    void noMoreAreKeptThanThereMayBeAndThoseThatWereAskedForLast() {
        var latest = Latest.<Integer, String>of(2);
        List<Integer> kept = new ArrayList<>();
        for (int i = 1; i <= 1_000; i++) {
            latest.put(i, "");
            latest.get(1);
            kept.add(latest.size());
        }
        assertThat(kept).allMatch(size -> size <= 2);
        assertThat(latest).containsOnlyKeys(1, 1_000);
    }
}
