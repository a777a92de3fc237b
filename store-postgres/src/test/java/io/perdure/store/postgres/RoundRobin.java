package io.perdure.store.postgres;

import io.perdure.core.store.Hint;
import io.perdure.core.store.Store;
import io.perdure.core.store.Store.Watch;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Several stores that are asked in turn, whatever is asked: no call can count on what the one before it left in memory. After
 * each round one is passed over, so that calls that come in pairs do not always meet the same two. Whoever watches watches all,
 * since each tells of what went through it.
 */
final class RoundRobin implements AutoCloseable {
    private final List<Store> stores;
    private final AtomicInteger calls = new AtomicInteger();

    private RoundRobin(List<Store> stores) {
        this.stores = stores;
    }

    static RoundRobin of(List<Store> stores) {
        return new RoundRobin(stores);
    }

    /** Hands a call to the store whose turn it is; throws what that throws. */
    @Nullable
    Object invoke(Method method, @Nullable Object[] values) throws Throwable {
        if (method.getName().equals("watch")) {
            return watch(values[0]);
        }
        try {
            return method.invoke(next(), values);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private Store next() {
        int call = calls.getAndIncrement();
        return stores.get((call + call / stores.size()) % stores.size());
    }

    @SuppressWarnings("unchecked") // The one parameter that the method has.
    private Watch watch(@Nullable Object listener) {
        Consumer<Hint> consumer = (Consumer<Hint>) Objects.requireNonNull(listener);
        List<Watch> watches =
                stores.stream().map(store -> store.watch(consumer)).toList();
        return () -> watches.forEach(Watch::close);
    }

    @Override
    public void close() {
        stores.forEach(Store::close);
    }
}
