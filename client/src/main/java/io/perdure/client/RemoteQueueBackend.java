package io.perdure.client;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.consumer.Arrivals;
import io.perdure.sdk.consumer.QueueBackend;
import io.perdure.sdk.consumer.Verdict;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.queue.ExtendedLeases;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.Receiving;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * The consumer's port, onto a queue of a server. Acknowledgements share requests; what failed or goes back is said message by message, by only
 * so many at once. Receives and extensions are sent once, for the consumer tries them again by itself.
 */
final class RemoteQueueBackend implements QueueBackend {
    /** How long settings that were read are taken to hold. */
    private static final Duration SETTINGS_FRESH = Duration.ofSeconds(5);

    /** A server that does not hold an answer back is not asked again sooner than this. */
    private static final Duration SHORTEST = Duration.ofMillis(100);

    /**
     * An extension is given up after a quarter of the lease, so that one on a dead connection is tried on another one before the lease has ended; not
     * sooner than this, which a server that has much to do may need.
     */
    private static final Duration SHORTEST_EXTENSION = Duration.ofMillis(500);

    /** So many messages at once are given back or up: each has a connection while it is. */
    private static final int SINGLY_AT_ONCE = 16;

    private static final Gathering.Requests ACKED_AT_ONCE =
            new Gathering.Requests(1, RemoteReceipts.MOST, Integer.MAX_VALUE);

    private final Calls calls;
    private final Environment environment;
    private final UUID id;
    private final RemoteQueue queue;
    private final RemoteReceipts receipts;
    private final Gathering<RemoteReceipts, Receipt, Boolean> acks;
    private final Semaphore singly = new Semaphore(SINGLY_AT_ONCE, true);
    private final Bell dismissal;
    private volatile boolean dismissed;
    private final Set<RemotePoll> polls = ConcurrentHashMap.newKeySet();
    private volatile Remembered remembered;

    private record Remembered(QueueSettings settings, long nanos) {}

    RemoteQueueBackend(Calls calls, RemoteQueue queue, RemoteReceipts receipts, QueueSettings settings) {
        this.calls = calls;
        this.environment = calls.environment();
        this.id = environment.ids().token();
        this.queue = queue;
        this.receipts = receipts;
        this.acks = new Gathering<>(calls, Room.asOfLedger(), _ -> ACKED_AT_ONCE, RemoteQueueBackend::acknowledge);
        this.dismissal = environment.bell();
        this.remembered = new Remembered(settings, environment.nanoTime());
    }

    @Override
    public MessageQueue queue() {
        return queue;
    }

    @Override
    public QueueSettings knownSettings() {
        Remembered known = remembered;
        if (environment.nanoTime() - known.nanos() < SETTINGS_FRESH.toNanos()) {
            return known.settings();
        }
        QueueSettings settings = queue.status(Duration.ZERO).settings();
        remembered = new Remembered(settings, environment.nanoTime());
        return settings;
    }

    @Override
    public Arrivals receive(Receiving receiving) {
        if (dismissed) {
            return Arrivals.NONE;
        }
        long asked = environment.nanoTime();
        RemotePoll begun = RemotePoll.begin(calls, queue, id, receiving);
        polls.add(begun);
        if (dismissed) {
            // By who did not see this one.
            begun.end();
        }
        Arrivals arrivals;
        try {
            arrivals = begun.await();
        } finally {
            polls.remove(begun);
        }
        Duration took = Duration.ofNanos(environment.nanoTime() - asked);
        if (arrivals.deliveries().isEmpty()) {
            if (took.compareTo(SHORTEST) < 0 && receiving.waiting().compareTo(SHORTEST) > 0) {
                rest(SHORTEST.minus(took));
            }
            return Arrivals.NONE;
        }
        Duration waited = arrivals.waited();
        boolean possible = !waited.isNegative() && waited.compareTo(took) <= 0;
        return possible ? arrivals : new Arrivals(arrivals.deliveries(), Duration.ZERO);
    }

    private void rest(Duration length) {
        try {
            if (!dismissed) {
                dismissal.await(length);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void dismiss() {
        dismissed = true;
        dismissal.ring();
        polls.forEach(RemotePoll::end);
    }

    @Override
    public Fate settle(Receipt receipt, Verdict verdict) {
        return switch (verdict) {
            case Verdict.Done() -> {
                if (!acks.hand(receipts, receipt, 1, 0).awaitAnyway()) {
                    throw receipt.lost();
                }
                yield Fate.DONE;
            }
            case Verdict.Retry(Duration delay, String error) -> singly(say -> say.retry(receipt, delay, error));
            case Verdict.Reject(String error) -> singly(say -> say.reject(receipt, error));
            case Verdict.Release() ->
                singly(say -> {
                    say.release(receipt);
                    return Fate.RELEASED;
                });
        };
    }

    /** Acknowledges messages; answers of each whether that was in time. */
    private static List<Boolean> acknowledge(RemoteReceipts place, List<Receipt> some, Duration patience) {
        Set<Receipt> late = new HashSet<>(place.patience(patience).ackAll(some));
        return some.stream().map(receipt -> !late.contains(receipt)).toList();
    }

    /** Says something of one message when its turn has come, with the patience that is left by then: all of them wait no longer than one. */
    private Fate singly(Function<RemoteReceipts, Fate> say) {
        long deadline = environment.nanoTime() + calls.patience().toNanos();
        boolean queued = !singly.tryAcquire();
        if (queued) {
            singly.acquireUninterruptibly();
        }
        try {
            long left = deadline - environment.nanoTime();
            if (queued && left <= 0) {
                throw new StoreException(
                        ErrorCode.SERVER_UNREACHABLE,
                        "The server did not answer what was said before, and was not told this.");
            }
            return say.apply(receipts.patience(Duration.ofNanos(Math.max(0, left))));
        } finally {
            singly.release();
        }
    }

    @Override
    public ExtendedLeases extend(List<Receipt> leased, Duration length) {
        Duration quarter = length.dividedBy(4);
        Duration oneTry = quarter.compareTo(SHORTEST_EXTENSION) < 0 ? SHORTEST_EXTENSION : quarter;
        return receipts.patience(Duration.ZERO).oneTry(oneTry).extendAll(leased, length);
    }
}
