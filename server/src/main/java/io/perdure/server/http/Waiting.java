package io.perdure.server.http;

import io.perdure.core.queue.Dismissal;
import io.perdure.sdk.id.TenantId;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Limits the requests that wait for something to happen, each on its own virtual thread: in total, per tenant, and to none once this is closed. A wait ends early when
 * the caller hangs up. Those that wait when the server closes are woken by the engine: an interrupt could strike a call of the store, which may just have leased
 * something for them. Safe for many threads.
 */
public final class Waiting implements AutoCloseable {
    private final TenantBudget places;
    private volatile boolean closed;

    /** Lets up to this number of requests wait at once. */
    public Waiting(int most) {
        this.places = new TenantBudget(
                most,
                new TenantBudget.Refusal("Too many waiting requests", "", "Retry later, or raise --max-waiting."));
    }

    /**
     * Waits for up to the given time, or not at all if this is closed; throws {@code PD-605} if there is no place for this tenant. The wait is bound to a
     * {@link Dismissal}, which is dismissed when the caller hangs up; so waits for messages and for runs end by themselves then.
     *
     * @param wait waits for up to the time that it is given
     * @param unheard takes back what the wait has brought if the caller hung up meanwhile; returns what to answer in case something still reads that
     */
    public <T> T await(TenantId tenant, Duration atMost, Function<Duration, T> wait, UnaryOperator<T> unheard) {
        if (atMost.isZero() || closed) {
            return wait.apply(Duration.ZERO);
        }
        Dismissal hungUp = new Dismissal();
        T brought = inPlace(tenant, hungUp, () -> wait.apply(atMost));
        return hungUp.isDismissed() ? unheard.apply(brought) : brought;
    }

    private <T> T inPlace(TenantId tenant, Dismissal hungUp, Supplier<T> wait) {
        places.take(tenant);
        try (var _ = CallerConnection.whenCallerHangsUp(hungUp::dismiss)) {
            return hungUp.during(wait);
        } finally {
            places.giveBack(tenant);
        }
    }

    /** Returns how many requests wait now. */
    public int count() {
        return places.used();
    }

    /** Returns whether no request is to wait any more, because the server is about to stop. */
    public boolean isClosed() {
        return closed;
    }

    /** Lets no request wait from now on. Closing again does nothing. */
    @Override
    public void close() {
        closed = true;
    }
}
