package io.perdure.store.sqlite;

import io.perdure.core.store.Hint;
import io.perdure.core.store.Store.Watch;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Who wants to hear hints. */
final class Watches implements Writer.Hints {
    /** Not a record: closing one twice must never end another registration of the same listener. */
    private static final class Registration {
        private final Consumer<Hint> listener;

        Registration(Consumer<Hint> listener) {
            this.listener = listener;
        }
    }

    private final List<Registration> registrations = new CopyOnWriteArrayList<>();

    Watch add(Consumer<Hint> listener) {
        Registration registration = new Registration(listener);
        registrations.add(registration);
        return () -> registrations.remove(registration);
    }

    void clear() {
        registrations.clear();
    }

    @Override
    public boolean wanted() {
        return !registrations.isEmpty();
    }

    @Override
    public void accept(Set<Hint> hints) {
        for (Hint hint : hints) {
            registrations.forEach(registration -> registration.listener.accept(hint));
        }
    }
}
