package io.perdure.core.store.memory;

import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
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
    record Holding(UUID holder, String detail, @Nullable Instant expiresAt) {
        Instant end() {
            return expiresAt == null ? Due.FAR_FUTURE : expiresAt;
        }
    }

    private final Map<ClaimedKey, Holding> held = new LinkedHashMap<>();

    Optional<Holding> holding(ClaimedKey key, Instant now) {
        return Optional.ofNullable(held.get(key)).filter(holding -> !isOver(holding, now));
    }

    void bind(ClaimedKey key, Holding holding) {
        held.put(key, holding);
    }

    void free(ClaimedKey key) {
        held.remove(key);
    }

    void freeAllOf(RunState run) {
        held.entrySet()
                .removeIf(entry -> entry.getKey().tenant().equals(run.tenant)
                        && entry.getKey().scope() != ClaimedKey.Scope.MESSAGE
                        && entry.getValue().holder().equals(run.id.value()));
    }

    void freeAllOf(TenantId tenant, QueueName queue) {
        held.keySet()
                .removeIf(key -> key.tenant().equals(tenant)
                        && key.scope() == ClaimedKey.Scope.MESSAGE
                        && key.within().equals(queue.value()));
    }

    int sweep(Instant now, int limit) {
        List<ClaimedKey> over = held.entrySet().stream()
                .filter(entry -> isOver(entry.getValue(), now))
                .sorted(Comparator.comparing(entry -> entry.getValue().end()))
                .limit(limit)
                .map(Map.Entry::getKey)
                .toList();
        over.forEach(held::remove);
        return over.size();
    }

    private static boolean isOver(Holding holding, Instant now) {
        return !holding.end().isAfter(now);
    }
}
