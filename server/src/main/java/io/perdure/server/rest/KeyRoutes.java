package io.perdure.server.rest;

import io.perdure.core.key.ApiKeys;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.id.KeyId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonArray;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.key.ApiKey;
import io.perdure.sdk.key.NewKey;
import io.perdure.sdk.key.Role;
import io.perdure.sdk.wire.FieldReader;
import java.util.List;
import java.util.Objects;

/** Makes, shows and revokes the keys of the caller's tenant. */
final class KeyRoutes {
    private static final String KEYS = "/v1/keys";
    private static final int CREATED = 201;

    private KeyRoutes() {}

    static List<Operation> operations() {
        return List.of(
                Operation.post(KEYS, "createKey", KeyRoutes::create).forAdministrators(),
                Operation.get(KEYS, "listKeys", KeyRoutes::list).forAdministrators(),
                Operation.delete(KEYS + "/{id}", "revokeKey", KeyRoutes::revoke).forAdministrators());
    }

    private static void create(Exchange exchange) {
        FieldReader fields = exchange.fields("name", "role", "expiresAfter");
        Role role = fields.parsedOrNull("role", word -> Role.parse(word));
        NewKey made = exchange.site()
                .keys()
                .create(
                        exchange.tenant(),
                        fields.text("name"),
                        Objects.requireNonNullElse(role, Role.CLIENT),
                        fields.secondsOrNull("expiresAfter"));
        exchange.answer(
                CREATED,
                JsonObject.builder()
                        .put("key", write(made.key()))
                        .put("token", made.token())
                        .build());
    }

    private static void list(Exchange exchange) {
        List<Json> keys = exchange.site().keys().list(exchange.tenant()).stream()
                .map(KeyRoutes::write)
                .toList();
        exchange.answer(JsonObject.builder().put("keys", JsonArray.of(keys)).build());
    }

    private static void revoke(Exchange exchange) {
        KeyId id = exchange.path("id", KeyId::new);
        ApiKeys keys = exchange.site().keys();
        boolean revoked = keys.revoke(exchange.tenant(), id.value());
        if (!revoked
                && keys.list(exchange.tenant()).stream()
                        .noneMatch(key -> key.id().equals(id))) {
            throw new RefusedException(
                    ErrorCode.NO_SUCH_KEY, "Tenant %s has no key %s.".formatted(exchange.tenant(), id));
        }
        exchange.answer(JsonObject.builder().put("revoked", revoked).build());
    }

    private static Json write(ApiKey key) {
        return JsonObject.builder()
                .put("id", key.id().value())
                .put("name", key.name().value())
                .put("role", key.role().word())
                .put("createdAt", key.createdAt().toString())
                .put(
                        "expiresAt",
                        key.expiresAt() == null ? null : key.expiresAt().toString())
                .put(
                        "revokedAt",
                        key.revokedAt() == null ? null : key.revokedAt().toString())
                .build();
    }
}
