package io.perdure.core.store.memory;

import io.perdure.sdk.id.TenantId;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Who holds which key. A key belongs to one holder at a time; whoever binds it first wins. */
final class Keys {
    /**
     * @param holder the run or the message that has the key
     * @param detail what came with it: an input's fingerprint, or a signal's number
     * @param expiresAt when it is free again by itself; absent where it goes with its holder
     */
    record Holding(UUID holder, String detail, @Nullable Instant expiresAt) {}

    private final Map<ClaimedKey, Holding> held = new HashMap<>();

    Optional<Holding> holding(ClaimedKey key, Instant now) {
        return Optional.ofNullable(held.get(key)).filter(holding -> !isOver(holding, now));
    }

    void bind(ClaimedKey key, Holding holding) {
        held.put(key, holding);
    }

    void free(ClaimedKey key) {
        held.remove(key);
    }

    void freeAllOf(TenantId tenant, UUID holder) {
        held.entrySet()
                .removeIf(entry -> entry.getKey().tenant().equals(tenant)
                        && entry.getValue().holder().equals(holder));
    }

    int sweep(Instant now, int limit) {
        var over = held.entrySet().stream()
                .filter(entry -> isOver(entry.getValue(), now))
                .limit(limit)
                .map(Map.Entry::getKey)
                .toList();
        over.forEach(held::remove);
        return over.size();
    }

    private static boolean isOver(Holding holding, Instant now) {
        return holding.expiresAt() != null && !holding.expiresAt().isAfter(now);
    }
}
