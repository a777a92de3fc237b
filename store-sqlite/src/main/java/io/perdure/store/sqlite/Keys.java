package io.perdure.store.sqlite;

import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who holds which key. A key belongs to one holder at a time; whoever binds it first wins. The key of a run that is gone is free,
 * even while its row is still there.
 */
final class Keys {
    /**
     * @param holder the run or the message that has the key
     * @param detail what came with it: an input's fingerprint, or a signal's number
     */
    record Holding(UUID holder, String detail) {}

    private static final String HOLDING = """
            SELECT holder, detail FROM claimed_key
            WHERE tenant = ? AND scope = ? AND within = ? AND value = ?
              AND (expires_at > ? OR (expires_at IS NULL AND EXISTS (
                      SELECT 1 FROM run WHERE run.id = claimed_key.holder AND run.tenant = claimed_key.tenant)))""";

    private static final String FREE_SOME = """
            DELETE FROM claimed_key WHERE (tenant, scope, within, value) IN (
                SELECT tenant, scope, within, value FROM claimed_key
                WHERE tenant = ? AND holder = ? AND expires_at IS NULL LIMIT ?)""";

    private static final String BIND = """
            INSERT OR REPLACE INTO claimed_key (tenant, scope, within, value, holder, detail, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)""";

    private final Transaction transaction;
    private final Session session;

    Keys(Transaction transaction) {
        this.transaction = transaction;
        this.session = transaction.session;
    }

    Optional<Holding> holding(ClaimedKey key) {
        return holding(session, key, transaction.now());
    }

    static Optional<Holding> holding(Session session, ClaimedKey key, Instant now) {
        return session.first(
                HOLDING,
                row -> new Holding(row.uuid(1), row.text(2)),
                key.tenant().value(),
                key.scope().word(),
                key.within(),
                key.value(),
                now);
    }

    /** @param expiresAt when it is free again by itself; absent where it goes with its holder */
    void bind(ClaimedKey key, UUID holder, String detail, @Nullable Instant expiresAt) {
        session.update(
                BIND, key.tenant().value(), key.scope().word(), key.within(), key.value(), holder, detail, expiresAt);
    }

    void free(ClaimedKey key) {
        session.update(
                "DELETE FROM claimed_key WHERE tenant = ? AND scope = ? AND within = ? AND value = ?",
                key.tenant().value(),
                key.scope().word(),
                key.within(),
                key.value());
    }

    /**
     * Frees at most {@code limit} keys that a run holds; returns how many. Deduplication ids of messages expire by themselves, so
     * they are not among these.
     */
    int freeSome(TenantId tenant, UUID run, int limit) {
        return session.update(FREE_SOME, tenant.value(), run, limit);
    }

    void freeAllOf(TenantId tenant, QueueName queue) {
        session.update(
                "DELETE FROM claimed_key WHERE tenant = ? AND scope = ? AND within = ?",
                tenant.value(),
                ClaimedKey.Scope.MESSAGE.word(),
                queue.value());
    }
}
