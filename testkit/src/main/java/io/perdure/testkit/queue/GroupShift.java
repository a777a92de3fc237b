package io.perdure.testkit.queue;

import io.perdure.testkit.queue.Observer.Office;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/** The threads of one process at work on {@link GroupTraffic}: senders, receivers and one who puts dead letters back. */
final class GroupShift {
    private static final int SENDERS = 3;
    private static final int RECEIVERS = 3;
    private static final int MOST_AHEAD = 60;
    private static final long REST_NANOS = 10_000_000;

    private final AtomicLong ahead = new AtomicLong();
    private final AtomicLong handled = new AtomicLong();
    private final List<Thread> threads = new ArrayList<>();
    private final Office office;
    private final GroupTraffic traffic;
    private final LongConsumer progress;
    private volatile boolean sendsNoMore;
    private volatile boolean over;

    private GroupShift(Office office, long firstNumber, LongConsumer progress) {
        this.office = office;
        this.traffic = new GroupTraffic(office, firstNumber);
        this.progress = progress;
    }

    /**
     * Lets the threads begin.
     *
     * @param firstNumber of the messages it sends; no other shift sends such numbers
     * @param progress is told how many messages were handled, after each
     */
    static GroupShift begin(Office office, String name, long firstNumber, LongConsumer progress) {
        GroupShift shift = new GroupShift(office, firstNumber, progress);
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

    /** Sends no more, works until nothing is left, and ends. */
    void finish() throws InterruptedException {
        sendNoMore();
        for (Thread sender : threads.subList(0, SENDERS)) {
            sender.join();
        }
        while (!GroupTraffic.isOver(office.store())) {
            LockSupport.parkNanos(REST_NANOS);
        }
        over = true;
        for (Thread thread : threads) {
            thread.join();
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
            progress.accept(handled.incrementAndGet());
        }
        return count;
    }

    /** What a thread does again and again; answers how much there was to do. */
    private interface Deed {
        int run(Observer observer) throws IOException;
    }

    /** A process that cannot go on ends, with the reason on stderr, and must not look as if it were killed. */
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
            } catch (IOException | RuntimeException e) {
                Thread thread = Thread.currentThread();
                thread.getThreadGroup().uncaughtException(thread, e);
                Runtime.getRuntime().halt(70);
            }
        }));
    }
}
