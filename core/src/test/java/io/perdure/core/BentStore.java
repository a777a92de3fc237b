package io.perdure.core;

import io.perdure.core.store.Hint;
import io.perdure.core.store.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A store whose calls are counted, and can be made to fail before they reach it, or to give no hints. */
final class BentStore {
    private final Store real;
    private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
    private final Map<String, RuntimeException> failures = new ConcurrentHashMap<>();
    private final Map<String, RuntimeException> once = new ConcurrentHashMap<>();
    private final Map<String, Picky> picky = new ConcurrentHashMap<>();
    private final Map<String, Runnable> before = new ConcurrentHashMap<>();
    private final Map<String, Runnable> after = new ConcurrentHashMap<>();
    private final AtomicInteger watches = new AtomicInteger();
    private volatile boolean deaf;

    /** Fails some calls of a method. */
    private record Picky(Predicate<List<@Nullable Object>> when, Throwable with) {}

    BentStore(Store real) {
        this.real = real;
    }

    Store store() {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (_, method, arguments) -> {
                    calls(method.getName()).incrementAndGet();
                    before.getOrDefault(method.getName(), () -> {}).run();
                    RuntimeException first = once.remove(method.getName());
                    RuntimeException failure = first == null ? failures.get(method.getName()) : first;
                    if (failure != null) {
                        throw failure;
                    }
                    Picky some = picky.get(method.getName());
                    if (some != null && some.when.test(Arrays.asList(Objects.requireNonNull(arguments)))) {
                        throw some.with;
                    }
                    if (method.getName().equals("watch")) {
                        return watch(Objects.requireNonNull(arguments)[0]);
                    }
                    Object answer = pass(method, arguments);
                    after.getOrDefault(method.getName(), () -> {}).run();
                    return answer;
                });
    }

    /** The store itself, unbent. */
    Store real() {
        return real;
    }

    int count(String method) {
        return calls(method).get();
    }

    /** How many listeners are registered now. */
    int watches() {
        return watches.get();
    }

    void fail(String method, RuntimeException with) {
        failures.put(method, with);
    }

    /** Lets the next call of this method fail, and no other. */
    void failOnce(String method, RuntimeException with) {
        once.put(method, with);
    }

    /** Lets those calls of this method fail that are given such arguments. */
    void failWhen(String method, Predicate<List<@Nullable Object>> when, Throwable with) {
        picky.put(method, new Picky(when, with));
    }

    void heal(String method) {
        failures.remove(method);
        picky.remove(method);
    }

    /** Does this before every call of the method, on the caller's thread. */
    void before(String method, Runnable step) {
        before.put(method, step);
    }

    /** Does this after every call of the method that reached the store, on the caller's thread. */
    void after(String method, Runnable step) {
        after.put(method, step);
    }

    /** From here on every hint is lost. */
    void loseHints() {
        deaf = true;
    }

    private AtomicInteger calls(String method) {
        return calls.computeIfAbsent(method, _ -> new AtomicInteger());
    }

    @SuppressWarnings("unchecked")
    private Store.Watch watch(Object listener) {
        Consumer<Hint> hints = (Consumer<Hint>) listener;
        Store.Watch watch = real.watch(hint -> {
            if (!deaf) {
                hints.accept(hint);
            }
        });
        watches.incrementAndGet();
        return () -> {
            watches.decrementAndGet();
            watch.close();
        };
    }

    private @Nullable Object pass(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
