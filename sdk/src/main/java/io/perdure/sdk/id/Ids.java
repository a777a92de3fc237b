package io.perdure.sdk.id;

import java.time.InstantSource;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Makes UUIDv7s (RFC 9562) from an injected clock and randomness. Ids of one source rise strictly even within a
 * millisecond and when the clock steps back: 12 bits after the timestamp count, and a full counter borrows from the next
 * millisecond. So rows made in order lie in order in an index. Safe for many threads.
 */
public final class Ids {
    private static final int COUNTER_BITS = 12;

    private final InstantSource clock;
    private final RandomGenerator random;
    private long latest;

    public Ids(InstantSource clock, RandomGenerator random) {
        this.clock = clock;
        this.random = random;
    }

    public RunId runId() {
        return new RunId(next());
    }

    public MessageId messageId() {
        return new MessageId(next());
    }

    public ProcessId processId() {
        return new ProcessId(next());
    }

    /** A token for leases: unguessable, so all of it is random (UUIDv4). */
    public synchronized UUID token() {
        long high = (random.nextLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x4000L;
        return new UUID(high, variant(random.nextLong()));
    }

    private synchronized UUID next() {
        latest = Math.max(clock.millis() << COUNTER_BITS, latest + 1);
        long millis = latest >>> COUNTER_BITS;
        long counter = latest & ((1 << COUNTER_BITS) - 1);
        return new UUID((millis << 16) | 0x7000L | counter, variant(random.nextLong()));
    }

    private static long variant(long bits) {
        return (bits & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
    }
}
