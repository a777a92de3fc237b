package io.perdure.store.postgres;

import io.perdure.core.store.KeyDraft;
import io.perdure.core.store.SecretHash;
import io.perdure.core.store.StoredKey;
import io.perdure.sdk.id.KeyId;
import io.perdure.sdk.id.KeyName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.key.ApiKey;
import io.perdure.sdk.key.Role;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The keys of all tenants. An id is one key's for ever. */
final class ApiKeys {
    private static final String ADD = "SELECT perdure.add_key_1(?, ?, ?, ?, ?, ?)";
    private static final String REVOKE = "SELECT perdure.revoke_key_1(?, ?)";

    private static final String ALL =
            "SELECT id, tenant, name, role, created_at, expires_at, revoked_at, hash FROM perdure.api_key";

    private static final String ONE = ALL + " WHERE id = ?";

    private final Session session;

    ApiKeys(Session session) {
        this.session = session;
    }

    Optional<ApiKey> add(KeyDraft key) throws SQLException {
        session.list(
                ADD,
                _ -> key,
                key.id().value(),
                key.tenant().value(),
                key.name().value(),
                key.role().word(),
                key.hash().hex(),
                key.expiresAfter() == null ? null : Documents.micros(key.expiresAfter()));
        return find(key.id()).filter(kept -> kept.hash().equals(key.hash())).map(StoredKey::key);
    }

    Optional<StoredKey> find(KeyId id) throws SQLException {
        return session.first(ONE, ApiKeys::stored, id.value());
    }

    List<ApiKey> all() throws SQLException {
        return session.list(ALL, ApiKeys::key).stream().sorted(ApiKey.ORDER).toList();
    }

    boolean revoke(TenantId tenant, KeyId id) throws SQLException {
        return session.first(REVOKE, row -> row.flag(1), id.value(), tenant.value())
                .orElseThrow();
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
