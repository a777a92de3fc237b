package io.perdure.store.sqlite;

import io.perdure.core.store.KeyDraft;
import io.perdure.core.store.SecretHash;
import io.perdure.core.store.StoredKey;
import io.perdure.sdk.id.KeyId;
import io.perdure.sdk.id.KeyName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.key.ApiKey;
import io.perdure.sdk.key.Role;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The keys of all tenants. An id is one key's for ever. */
final class ApiKeys {
    private static final String ADD = """
            INSERT INTO api_key (id, tenant, name, role, hash, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING""";

    private static final String ALL =
            "SELECT id, tenant, name, role, created_at, expires_at, revoked_at, hash FROM api_key";

    private static final String ONE = ALL + " WHERE id = ?";

    private static final String REVOKE =
            "UPDATE api_key SET revoked_at = ? WHERE id = ? AND tenant = ? AND revoked_at IS NULL";

    private final Session session;

    ApiKeys(Session session) {
        this.session = session;
    }

    Optional<ApiKey> add(KeyDraft key, Instant now) {
        ApiKey made = key.madeAt(now);
        session.update(
                ADD,
                key.id().value(),
                key.tenant().value(),
                key.name().value(),
                key.role().word(),
                key.hash().hex(),
                made.createdAt(),
                made.expiresAt());
        return find(key.id()).filter(kept -> kept.hash().equals(key.hash())).map(StoredKey::key);
    }

    Optional<StoredKey> find(KeyId id) {
        return session.first(ONE, ApiKeys::stored, id.value());
    }

    List<ApiKey> all() {
        return session.list(ALL, ApiKeys::key).stream().sorted(ApiKey.ORDER).toList();
    }

    boolean revoke(TenantId tenant, KeyId id, Instant now) {
        return session.update(REVOKE, now, id.value(), tenant.value()) == 1;
    }

    private static StoredKey stored(Row row) throws SQLException {
        return new StoredKey(key(row), new SecretHash(row.text(8)));
    }

    private static ApiKey key(Row row) throws SQLException {
        return new ApiKey(
                new KeyId(row.text(1)),
                new TenantId(row.text(2)),
                new KeyName(row.text(3)),
                Role.parse(row.text(4)),
                row.time(5),
                row.timeOrNull(6),
                row.timeOrNull(7));
    }
}
