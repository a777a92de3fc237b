package io.perdure.core.key;

import io.perdure.core.store.Store;
import io.perdure.core.store.StoredKey;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.KeyLimits;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.KeyId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What this process has read of the store's keys, for a few seconds. Only keys that exist are remembered, and the one that was not asked
 * for the longest goes first: whoever makes up ids fills nothing. What is not known at all is looked for only so often a second.
 */
final class KnownKeys {
    private final Store store;
    private final Environment environment;
    private final KeyLimits limits;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<KeyId, Reading> readings;
    private final AtomicLong changes = new AtomicLong();
    private final Strangers strangers;
    private final Map<KeyId, CompletableFuture<Optional<Reading>>> underWay = new ConcurrentHashMap<>();
    private volatile @Nullable Presence presence;

    /**
     * A key as it was read.
     *
     * @param time what the store's clock showed before that
     * @param nanos what the clock of this process showed before that
     */
    private record Reading(StoredKey key, Instant time, long nanos) {}

    private record Presence(boolean any, long nanos) {}

    /**
     * A key, and the time by the store's clock.
     *
     * @param now never earlier than it is, so that no key outlives its time
     */
    record Known(StoredKey key, Instant now) {}

    KnownKeys(Store store, Environment environment, KeyLimits limits) {
        this.store = store;
        this.environment = environment;
        this.limits = limits;
        this.strangers = new Strangers(limits.strangersPerSecond(), environment.nanoTime());
        this.readings = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<KeyId, Reading> eldest) {
                return size() > limits.remembered();
            }
        };
    }

    /** A key that exists; {@code PD-605} where too many were asked for lately that this process does not know. */
    Optional<Known> find(KeyId id) {
        Reading reading = remembered(id);
        if (reading == null) {
            reading = shared(id, this::admitted);
        } else if (isOld(reading.nanos())) {
            reading = shared(id, this::read);
        }
        if (reading == null) {
            return Optional.empty();
        }
        return Optional.of(
                new Known(reading.key(), reading.time().plusNanos(environment.nanoTime() - reading.nanos())));
    }

    /** Whether a key was ever made, whatever became of it. */
    boolean any() {
        Presence known = presence;
        if (known == null || isOld(known.nanos())) {
            long before = changes.get();
            long nanos = environment.nanoTime();
            known = new Presence(!store.keys().isEmpty(), nanos);
            Presence read = known;
            remember(before, () -> presence = read);
        }
        return known.any();
    }

    /** Has everything read anew that a change to this key may concern, once the store has it. */
    void forget(KeyId id) {
        lock.lock();
        try {
            changes.incrementAndGet();
            readings.remove(id);
            // What it reads may be from before: who asks from now on reads anew.
            underWay.remove(id);
            presence = null;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Reading remembered(KeyId id) {
        lock.lock();
        try {
            return readings.get(id);
        } finally {
            lock.unlock();
        }
    }

    /** Reads a key that is not remembered, or was read a while ago: once for all who ask for it meanwhile. */
    private @Nullable Reading shared(KeyId id, Function<KeyId, @Nullable Reading> how) {
        CompletableFuture<Optional<Reading>> mine = new CompletableFuture<>();
        CompletableFuture<Optional<Reading>> first = underWay.putIfAbsent(id, mine);
        if (first != null) {
            // One that found nothing, or could not look, has not looked for this one.
            return first.join().orElseGet(() -> how.apply(id));
        }
        Reading found = null;
        try {
            found = how.apply(id);
        } finally {
            underWay.remove(id, mine);
            mine.complete(Optional.ofNullable(found));
        }
        return found;
    }

    private @Nullable Reading admitted(KeyId id) {
        if (!strangers.admit(environment.nanoTime())) {
            throw new RefusedException(
                    ErrorCode.TOO_MANY_REQUESTS,
                    "There were more than %s requests within a second with keys that are not known here."
                            .formatted(limits.strangersPerSecond()));
        }
        return read(id);
    }

    private @Nullable Reading read(KeyId id) {
        long before = changes.get();
        long nanos = environment.nanoTime();
        Instant time = store.now();
        Reading reading =
                store.key(id).map(key -> new Reading(key, time, nanos)).orElse(null);
        if (reading != null) {
            remember(before, () -> readings.put(id, reading));
        }
        return reading;
    }

    /** Not where something was changed here meanwhile: what was read may be from before that. */
    private void remember(long before, Runnable note) {
        lock.lock();
        try {
            if (changes.get() == before) {
                note.run();
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean isOld(long nanos) {
        return environment.nanoTime() - nanos >= limits.trusted().toNanos();
    }
}
