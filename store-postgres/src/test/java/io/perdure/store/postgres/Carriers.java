package io.perdure.store.postgres;

import java.util.concurrent.CountDownLatch;

/** Virtual threads that compute on every carrier until this is closed, so that no other virtual thread runs. */
final class Carriers implements AutoCloseable {
    private static final int ALL = Integer.getInteger(
            "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());

    private volatile boolean released;

    private Carriers() {}

    /** Returns once each carrier is held. */
    static Carriers held() throws InterruptedException {
        Carriers carriers = new Carriers();
        CountDownLatch holding = new CountDownLatch(ALL);
        for (int carrier = 0; carrier < ALL; carrier++) {
            Thread.startVirtualThread(() -> {
                holding.countDown();
                while (!carriers.released) {
                    Thread.onSpinWait();
                }
            });
        }
        holding.await();
        return carriers;
    }

    @Override
    public void close() {
        released = true;
    }
}
