package io.perdure.core.key;

import io.perdure.core.store.KeyDraft;
import io.perdure.core.store.SecretHash;
import io.perdure.core.store.Store;
import io.perdure.core.store.StoredKey;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.KeyLimits;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.KeyId;
import io.perdure.sdk.id.KeyName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.key.ApiKey;
import io.perdure.sdk.key.NewKey;
import io.perdure.sdk.key.Role;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The API keys of a store, of all tenants: whoever can open the store is its master. Keys are for those who come to it through a server.
 *
 * <p>What was read of a key counts for 5 seconds. So a key that another process revokes is refused here 5 seconds later at the latest;
 * one that is revoked here, at once. Safe for many threads.
 */
public final class ApiKeys {
    /** Of no secret: what a token is compared with where its key is not there, so that it takes no less time. */
    private static final SecretHash NOBODY = new SecretHash("0".repeat(64));

    private final Store store;
    private final Environment environment;
    private final KnownKeys known;

    /** The keys of a store that stays the caller's. */
    public ApiKeys(Store store, Environment environment, KeyLimits limits) {
        this.store = store;
        this.environment = environment;
        this.known = new KnownKeys(store, environment, limits);
    }

    /**
     * Makes a key; returns when that is durable. Its token is in the answer and nowhere else: the store keeps a hash of its secret.
     * {@code PD-001} for a name that is not valid, {@code PD-007} for an expiry that is not positive or too far away.
     *
     * @param expiresAfter how long it counts; null where it does not expire
     */
    public NewKey create(TenantId tenant, String name, Role role, @Nullable Duration expiresAfter) {
        Token token = Token.fresh(environment.random());
        KeyDraft draft =
                new KeyDraft(token.id(), tenant, new KeyName(name), role, expiresAfter, SecretHash.of(token.secret()));
        ApiKey key = store.addKey(draft)
                .orElseThrow(() -> new StoreException(
                        ErrorCode.STORE_FAILED, "Another key has the id %s that was drawn.".formatted(token.id())));
        known.forget(key.id());
        return new NewKey(key, token.text());
    }

    /** All keys by when they were made, also those that have expired or were revoked. */
    public List<ApiKey> list() {
        return store.keys();
    }

    /** Those of one tenant. */
    public List<ApiKey> list(TenantId tenant) {
        return list().stream().filter(key -> key.tenant().equals(tenant)).toList();
    }

    /**
     * Revokes a key for good; returns when that is durable. {@code PD-006} for what is no id.
     *
     * @return whether this call revoked it; false where there is no such key, or it was revoked before
     */
    public boolean revoke(String id) {
        Optional<StoredKey> found = store.key(new KeyId(id));
        return found.isPresent() && revoke(found.get().key().tenant(), id);
    }

    /** The same of a key of one tenant; those of others are as good as not there. */
    public boolean revoke(TenantId tenant, String id) {
        KeyId key = new KeyId(id);
        boolean revoked = store.revokeKey(tenant, key);
        known.forget(key);
        return revoked;
    }

    /**
     * Answers who sent a token. {@code PD-601} where it is none, or its key does not exist, has another secret, has expired or was revoked;
     * which of these it is, neither the error nor the comparison tells.
     *
     * <p>What is asked of keys that do not exist is not remembered, and costs the store a read: more of that than {@link
     * KeyLimits#strangersPerSecond} is {@code PD-605}, also for a key that exists and is not among those that are remembered. Those are never refused so.
     */
    public Verified verify(String token) {
        return Token.parse(token).flatMap(this::verified).orElseThrow(ApiKeys::refused);
    }

    private Optional<Verified> verified(Token token) {
        SecretHash shown = SecretHash.of(token.secret());
        Optional<KnownKeys.Known> found = known.find(token.id());
        boolean same = found.map(key -> key.key().hash()).orElse(NOBODY).matches(shown);
        return found.filter(key -> same && key.key().key().stateAt(key.now()) == ApiKey.State.ACTIVE)
                .map(key -> key.key().key())
                .map(key -> new Verified(key.id(), key.tenant(), key.role()));
    }

    private static RefusedException refused() {
        return new RefusedException(ErrorCode.NO_VALID_KEY, "There is no valid key with this request.");
    }

    /**
     * Whether a key was ever made, whatever became of it. Until then nobody asks for keys on this machine; the answer may be 5 seconds old where
     * another process made one.
     */
    public boolean any() {
        return known.any();
    }
}
