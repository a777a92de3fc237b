package io.perdure.core.store.rows;

import io.perdure.core.store.Hint;
import io.perdure.core.store.Store.Watch;
import io.perdure.sdk.logging.Logs;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Who wants to hear hints. */
public final class Watches implements Consumer<Set<Hint>> {
    /** Not a record: closing one twice must never end another registration of the same listener. */
    private static final class Registration {
        private final Consumer<Hint> listener;

        Registration(Consumer<Hint> listener) {
            this.listener = listener;
        }
    }

    private static final System.Logger LOG = Logs.of(Watches.class);

    private final List<Registration> registrations = new CopyOnWriteArrayList<>();

    /** Adds a listener, until the answer is closed. */
    public Watch add(Consumer<Hint> listener) {
        Registration registration = new Registration(listener);
        registrations.add(registration);
        return () -> registrations.remove(registration);
    }

    /** Forgets all listeners. */
    public void clear() {
        registrations.clear();
    }

    /** Whether anybody listens. */
    public boolean wanted() {
        return !registrations.isEmpty();
    }

    /** Tells everybody. */
    @Override
    public void accept(Set<Hint> hints) {
        for (Hint hint : hints) {
            registrations.forEach(registration -> tell(registration, hint));
        }
    }

    private static void tell(Registration registration, Hint hint) {
        try {
            registration.listener.accept(hint);
        } catch (RuntimeException e) {
            // It promised not to. Whose thread this is must not die of it.
            LOG.log(System.Logger.Level.ERROR, "A listener failed on " + hint + ".", e);
        }
    }
}
