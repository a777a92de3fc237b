package io.perdure.server.rest;

import io.perdure.core.key.ApiKeys;
import io.perdure.core.store.Bounds;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.id.KeyId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonArray;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.key.ApiKey;
import io.perdure.sdk.key.NewKey;
import io.perdure.sdk.key.RevokedKey;
import io.perdure.sdk.wire.KeyJson;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes, shows and revokes the keys of the caller's tenant. */
final class KeyRoutes {
    private static final String KEYS = "/v1/keys";
    private static final int CREATED = 201;

    private KeyRoutes() {}

    static List<Operation> operations() {
        return List.of(
                Operation.post(KEYS, "createKey", KeyRoutes::create).forAdministrators(),
                Operation.get(KEYS, "listKeys", KeyRoutes::list).forAdministrators(),
                Operation.delete(KEYS + "/{id}", "revokeKey", KeyRoutes::revoke)
                        .forAdministrators()
                        .doneOnce());
    }

    private static void requireExpiry(@Nullable Duration after) {
        try {
            if (after != null) {
                Bounds.expiry(after);
            }
        } catch (InvalidValueException e) {
            throw e.in("expiresAfter");
        }
    }

    private static void create(Exchange exchange) {
        KeyJson.Creation creation = KeyJson.Creation.read(exchange.body());
        requireExpiry(creation.expiresAfter());
        NewKey made = exchange.site()
                .keys()
                .create(exchange.tenant(), creation.name().value(), creation.role(), creation.expiresAfter());
        exchange.answer(CREATED, KeyJson.write(made));
    }

    private static void list(Exchange exchange) {
        List<Json> keys = exchange.site().keys().list(exchange.tenant()).stream()
                .map(KeyJson::write)
                .toList();
        exchange.answer(JsonObject.builder().put("keys", JsonArray.of(keys)).build());
    }

    private static void revoke(Exchange exchange) {
        KeyId id = exchange.path("id", KeyId::new);
        ApiKeys keys = exchange.site().keys();
        boolean revoked = keys.revoke(exchange.tenant(), id.value());
        ApiKey key = exchange.afterwards(() -> keys.list(exchange.tenant())).stream()
                .filter(listed -> listed.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new RefusedException(
                        ErrorCode.NO_SUCH_KEY, "Tenant %s has no key %s.".formatted(exchange.tenant(), id)));
        exchange.answer(KeyJson.write(new RevokedKey(key, revoked)));
    }
}
