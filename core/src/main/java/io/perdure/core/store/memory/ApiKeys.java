package io.perdure.core.store.memory;

import io.perdure.core.store.KeyDraft;
import io.perdure.core.store.StoredKey;
import io.perdure.sdk.id.KeyId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.key.ApiKey;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The keys of all tenants. An id is one key's for ever. */
final class ApiKeys {
    private final Map<KeyId, StoredKey> rows = new HashMap<>();

    Optional<ApiKey> add(KeyDraft key, Instant now) {
        rows.putIfAbsent(key.id(), new StoredKey(key.madeAt(now), key.hash()));
        return find(key.id()).filter(kept -> kept.hash().equals(key.hash())).map(StoredKey::key);
    }

    Optional<StoredKey> find(KeyId id) {
        return Optional.ofNullable(rows.get(id));
    }

    List<ApiKey> all() {
        return rows.values().stream().map(StoredKey::key).sorted(ApiKey.ORDER).toList();
    }

    boolean revoke(TenantId tenant, KeyId id, Instant now) {
        Optional<StoredKey> valid = find(id).filter(
                        kept -> kept.key().tenant().equals(tenant) && kept.key().revokedAt() == null);
        valid.ifPresent(kept -> rows.put(id, new StoredKey(kept.key().revoked(now), kept.hash())));
        return valid.isPresent();
    }
}
