package io.perdure.client;

import io.perdure.sdk.id.KeyId;
import io.perdure.sdk.id.KeyName;
import io.perdure.sdk.key.ApiKey;
import io.perdure.sdk.key.NewKey;
import io.perdure.sdk.key.RevokedKey;
import io.perdure.sdk.key.Role;
import io.perdure.sdk.wire.FieldReader;
import io.perdure.sdk.wire.KeyJson;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The API keys at a server, of the tenant whose key the client shows, which must be an administrator's: {@code PD-602} otherwise. Safe for many
 * threads.
 */
public final class RemoteKeys {
    private final Calls calls;

    RemoteKeys(Calls calls) {
        this.calls = calls;
    }

    /**
     * Makes a key; returns when that is durable. Its token is in the answer and nowhere else. From the first key on a server asks everybody for one,
     * so let that be an administrator's. {@code PD-001} for a name that is not valid, {@code PD-007} for an expiry that is not positive or too far
     * away; {@code PD-201} where the answer was lost, for no server keeps an answer that has a secret in it: a key that is in the list then is of no use to anybody, and can be revoked.
     *
     * @param expiresAfter how long it counts; null where it does not expire
     */
    public NewKey create(String name, Role role, @Nullable Duration expiresAfter) {
        KeyJson.Creation creation = new KeyJson.Creation(new KeyName(name), role, expiresAfter);
        return calls.ask(calls.once("POST", Paths.KEYS, creation.write()), KeyJson::made);
    }

    /** The keys by when they were made, also those that have expired or were revoked. */
    public List<ApiKey> list() {
        return calls.ask(Call.get(Paths.KEYS), answer -> FieldReader.of(answer).list("keys", KeyJson::key));
    }

    /**
     * Revokes a key for good; returns when that is durable. It may be the one that this client shows, which then opens nothing any more.
     * Where the answer to that was lost, the second try is {@code PD-601}. {@code PD-006} for what is no id, {@code PD-611} where the tenant has no such key.
     */
    public RevokedKey revoke(String id) {
        return calls.ask(calls.repeatable("DELETE", Paths.key(new KeyId(id)), null), KeyJson::revoked);
    }
}
