package io.perdure.sdk.wire;

import io.perdure.sdk.id.KeyId;
import io.perdure.sdk.id.KeyName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.key.ApiKey;
import io.perdure.sdk.key.NewKey;
import io.perdure.sdk.key.RevokedKey;
import io.perdure.sdk.key.Role;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** API keys, and what is asked of them, as they travel. A token does so once: in the answer to its making. */
public final class KeyJson {
    private KeyJson() {}

    public static Json write(ApiKey key) {
        return JsonObject.builder()
                .put("id", key.id().value())
                .put("name", key.name().value())
                .put("role", key.role().word())
                .put("tenant", key.tenant().value())
                .put("createdAt", key.createdAt())
                .put("expiresAt", key.expiresAt())
                .put("revokedAt", key.revokedAt())
                .build();
    }

    public static ApiKey key(Json json) {
        FieldReader read = FieldReader.of(json);
        return new ApiKey(
                read.parsed("id", KeyId::new),
                read.parsed("tenant", TenantId::new),
                read.parsed("name", KeyName::new),
                read.parsed("role", Role::parse),
                read.time("createdAt"),
                read.timeOrNull("expiresAt"),
                read.timeOrNull("revokedAt"));
    }

    public static Json write(NewKey made) {
        return JsonObject.builder()
                .put("key", write(made.key()))
                .put("token", made.token())
                .build();
    }

    public static NewKey made(Json json) {
        FieldReader read = FieldReader.of(json);
        return new NewKey(key(read.valueOrNull("key")), read.text("token"));
    }

    public static Json write(RevokedKey revoked) {
        return JsonObject.builder()
                .put("revoked", revoked.now())
                .put("key", write(revoked.key()))
                .build();
    }

    public static RevokedKey revoked(Json json) {
        FieldReader read = FieldReader.of(json);
        return new RevokedKey(key(read.valueOrNull("key")), read.flag("revoked"));
    }

    /**
     * A key that is to be made, as it travels.
     *
     * @param role a client's where it is absent
     * @param expiresAfter how long it counts; null where it does not expire
     */
    public record Creation(
            KeyName name, Role role, @Nullable Duration expiresAfter) {
        public Json write() {
            return JsonObject.builder()
                    .put("name", name.value())
                    .put("role", role.word())
                    .put("expiresAfter", Seconds.ofNullable(expiresAfter))
                    .build();
        }

        /** Reads what {@link #write} wrote: a field that is not known is refused. */
        public static Creation read(Json json) {
            FieldReader read = FieldReader.of(json).requireOnly("name", "role", "expiresAfter");
            Role role = read.parsedOrNull("role", Role::parse);
            return new Creation(
                    read.parsed("name", KeyName::new),
                    Objects.requireNonNullElse(role, Role.CLIENT),
                    read.secondsOrNull("expiresAfter"));
        }
    }
}
