package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Hint;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Keeps hints for a test to wait for. */
final class Heard implements Consumer<Hint> {
    private final BlockingQueue<Hint> hints = new LinkedBlockingQueue<>();

    @Override
    public void accept(Hint hint) {
        hints.add(hint);
    }

    /** Waits for a hint; answers those that came before it. */
    List<Hint> await(Hint wanted) throws InterruptedException {
        List<Hint> before = new ArrayList<>();
        while (true) {
            Hint hint = hints.poll(60, TimeUnit.SECONDS);
            assertThat(hint).as("%s, after %s", wanted, before).isNotNull();
            if (wanted.equals(hint)) {
                return before;
            }
            before.add(hint);
        }
    }
}
