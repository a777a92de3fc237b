package io.perdure.sdk.worker;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts the runs that a worker has room for. */
final class Slots {
    private final int all;
    private final AtomicInteger free;

    Slots(int all) {
        this.all = all;
        this.free = new AtomicInteger(all);
    }

    int all() {
        return all;
    }

    int free() {
        return free.get();
    }

    boolean tryTake() {
        return take(1) == 1;
    }

    /** Takes so many, or as many as there are; answers how many. */
    int take(int wanted) {
        while (true) {
            int before = free.get();
            int taken = Math.min(wanted, before);
            if (free.compareAndSet(before, before - taken)) {
                return taken;
            }
        }
    }

    /** Gives one back; answers how many are free then. */
    int giveBack() {
        return free.incrementAndGet();
    }

    void giveBack(int count) {
        free.addAndGet(count);
    }
}
