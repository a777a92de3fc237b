package io.perdure.testkit.queue;

import io.perdure.testkit.queue.Observer.Office;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** The threads of one process at work on {@link GroupTraffic}: senders, receivers and one who puts dead letters back. */
final class GroupShift {
    private static final int SENDERS = 3;
    private static final int RECEIVERS = 3;
    private static final int MOST_AHEAD = 60;
    private static final long REST_NANOS = 10_000_000;

    /** Many leases long: what is not over by then never will be. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final AtomicLong ahead = new AtomicLong();
    private final AtomicLong handled = new AtomicLong();
    private final List<Thread> threads = new ArrayList<>();
    private final Office office;
    private final GroupTraffic traffic;
    private final Watch watch;
    private volatile boolean sendsNoMore;
    private volatile boolean over;

    /**
     * Who is told how it goes, by any of the threads.
     *
     * @param progress is told how many messages were handled, after each
     * @param onFailure is told why a thread could not go on; the shift is over then
     */
    record Watch(LongConsumer progress, Consumer<Throwable> onFailure) {}

    private GroupShift(Office office, long firstNumber, Watch watch) {
        this.office = office;
        this.traffic = new GroupTraffic(office, firstNumber);
        this.watch = watch;
    }

    /**
     * Lets the threads begin.
     *
     * @param firstNumber of the messages it sends; no other shift sends such numbers
     */
    static GroupShift begin(Office office, String name, long firstNumber, Watch watch) {
        GroupShift shift = new GroupShift(office, firstNumber, watch);
        for (int sender = 1; sender <= SENDERS; sender++) {
            shift.start(name + "-sender-" + sender, shift::send);
        }
        for (int receiver = 1; receiver <= RECEIVERS; receiver++) {
            shift.start(name + "-receiver-" + receiver, shift::handle);
        }
        shift.start(name + "-operator", shift.traffic::redrive);
        return shift;
    }

    void sendNoMore() {
        sendsNoMore = true;
    }

    /** Sends no more, works until nothing is left, and ends; throws where that takes too long, saying what is left. */
    void finish() throws InterruptedException {
        sendNoMore();
        for (Thread sender : threads.subList(0, SENDERS)) {
            sender.join();
        }
        awaitNothingLeft();
        over = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void awaitNothingLeft() throws InterruptedException {
        long from = office.environment().nanoTime();
        Optional<String> left = GroupTraffic.left(office.store());
        while (!over && left.isPresent()) {
            if (office.environment().nanoTime() - from > PATIENCE.toNanos()) {
                over = true;
                throw new IllegalStateException("After %s there is still left: %s".formatted(PATIENCE, left.get()));
            }
            if (Thread.interrupted()) {
                over = true;
                throw new InterruptedException("There was still left: " + left.get());
            }
            LockSupport.parkNanos(REST_NANOS);
            left = GroupTraffic.left(office.store());
        }
    }

    private int send(Observer observer) throws IOException {
        if (ahead.get() > MOST_AHEAD) {
            return 0;
        }
        int count = traffic.send(observer);
        ahead.addAndGet(count);
        return count;
    }

    private int handle(Observer observer) throws IOException {
        int count = traffic.handle(observer);
        ahead.addAndGet(-count);
        for (int one = 0; one < count; one++) {
            watch.progress().accept(handled.incrementAndGet());
        }
        return count;
    }

    /** What a thread does again and again; answers how much there was to do. */
    private interface Deed {
        int run(Observer observer) throws IOException;
    }

    private void start(String name, Deed deed) {
        Observer observer = new Observer(office, name);
        boolean sends = threads.size() < SENDERS;
        threads.add(Thread.startVirtualThread(() -> {
            try {
                while (!over && !(sends && sendsNoMore)) {
                    if (deed.run(observer) == 0) {
                        LockSupport.parkNanos(REST_NANOS);
                    }
                }
            } catch (Throwable e) {
                over = true;
                watch.onFailure().accept(e);
            }
        }));
    }
}
