package io.perdure.core.queue;

import io.perdure.sdk.environment.Bell;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets another thread end the waits of one thread, for good. An interrupt would do so too, but could strike a call of the store. A wait for messages belongs to a
 * backend that can be dismissed; every wait for messages or for a run also ends when the dismissal is dismissed that its thread is {@linkplain #during bound to}.
 */
public final class Dismissal {
    private static final ScopedValue<Dismissal> CURRENT = ScopedValue.newInstance();

    private final BooleanSupplier allDismissed;
    private volatile boolean dismissed;
    private volatile @Nullable Bell waitingAt;

    /** Creates a dismissal that is not dismissed yet. */
    public Dismissal() {
        this(() -> false);
    }

    /** For one who is dismissed together with others as well; whoever does that rings for all of them. */
    Dismissal(BooleanSupplier allDismissed) {
        this.allDismissed = allDismissed;
    }

    /** Returns the dismissal that the current thread is bound to. If it is bound to none, returns a new one, which is never dismissed. */
    public static Dismissal current() {
        return CURRENT.isBound() ? CURRENT.get() : new Dismissal();
    }

    /** Does something on this thread, bound to this dismissal: its waits for messages and runs end as if their time were over once this is dismissed. */
    public <T> T during(Supplier<T> work) {
        return ScopedValue.where(CURRENT, this).call(work::get);
    }

    /** Ends the wait in progress and all later ones. Returns at once. A look at the store that is in progress still returns what it has leased. */
    public void dismiss() {
        dismissed = true;
        Bell bell = waitingAt;
        if (bell != null) {
            bell.ring();
        }
    }

    /** Returns whether this was dismissed. */
    public boolean isDismissed() {
        return dismissed || allDismissed.getAsBoolean();
    }

    /** Has this bell ring on dismissal from now on. The waiter checks {@link #isDismissed} each time before it waits. */
    public void waitAt(Bell bell) {
        waitingAt = bell;
    }
}
