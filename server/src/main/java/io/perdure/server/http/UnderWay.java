package io.perdure.server.http;

import io.perdure.sdk.id.TenantId;

/**
 * Limits how many requests that write are in progress at once, and how much memory their bodies take together: a quarter of the heap. Both limits hold in total and
 * {@linkplain TenantBudget per tenant}. A request above a limit is refused at once instead of waiting, so that the queue before the store is bounded, too. Bodies count
 * with what has been received of them, not with what was announced. Safe for many threads; each place is for one thread.
 */
public final class UnderWay {
    /** The place of a request that does not count. */
    public static final Place UNCOUNTED = () -> {};

    private static final int UNIT_BYTES = 1024;
    private static final int SHARE_OF_MEMORY = 4;

    private final TenantBudget places;
    private final TenantBudget kibibytes;

    /** Lets up to this number of requests be in progress at once. */
    public UnderWay(int most) {
        this(most, Runtime.getRuntime().maxMemory() / SHARE_OF_MEMORY);
    }

    /** Lets up to this number of requests be in progress at once, and their bodies take up to this number of bytes. */
    public UnderWay(int most, long mostBytes) {
        this.places = new TenantBudget(
                most,
                new TenantBudget.Refusal("Too many requests in progress", "", "Retry later, or raise --max-requests."));
        this.kibibytes = new TenantBudget(
                Math.clamp(mostBytes / UNIT_BYTES, 1, Integer.MAX_VALUE),
                new TenantBudget.Refusal(
                        "The bodies of requests in progress take too much memory",
                        " KiB",
                        "Retry later, or give the server more heap (-Xmx)."));
    }

    /** What a request has while it is in progress. Leaving it again does nothing. */
    @FunctionalInterface
    public interface Place extends AutoCloseable {
        @Override
        void close();

        /** Everything is done except sending the answer: a caller that reads it slowly keeps no other caller out. */
        default void answering() {
            close();
        }

        /** Waits for something to happen from now on: that keeps no place, but a body of it that is held still counts. */
        default void waits() {
            close();
        }

        /** Goes on after a wait; throws {@code PD-605} if there is no place now. */
        default void goesOn() {
            // Does not count.
        }

        /** Makes room for a body of which this number of bytes is kept from now on; throws {@code PD-605} if there is none. */
        default void bodyOf(long bytes) {
            // Does not count.
        }
    }

    /** Takes a place, to be left when the request is done; throws {@code PD-605} if there is none for this tenant. */
    public Place enter(TenantId tenant) {
        places.take(tenant);
        return new Counted(tenant);
    }

    private final class Counted implements Place {
        private final TenantId tenant;
        private boolean hasPlace = true;
        private boolean left;
        private int wanted;
        private int taken;

        private Counted(TenantId tenant) {
            this.tenant = tenant;
        }

        @Override
        public void bodyOf(long bytes) {
            int all = (int) Math.min(Integer.MAX_VALUE, (bytes + UNIT_BYTES - 1) / UNIT_BYTES);
            if (!left && all > wanted) {
                taken += kibibytes.take(tenant, all - wanted, taken);
                wanted = all;
            }
        }

        @Override
        public void waits() {
            if (hasPlace) {
                hasPlace = false;
                places.giveBack(tenant);
            }
        }

        @Override
        public void goesOn() {
            if (!hasPlace && !left) {
                places.take(tenant);
                hasPlace = true;
            }
        }

        @Override
        public void close() {
            if (!left) {
                left = true;
                kibibytes.giveBack(tenant, taken);
                waits();
            }
        }
    }

    /** Returns how many requests are in progress now. */
    public int count() {
        return places.used();
    }

    /** Returns how many KiB of bodies are held now. */
    public int kibibytes() {
        return kibibytes.used();
    }
}
