package io.perdure.cli;

import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.key.ApiKey;
import io.perdure.sdk.key.Role;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.TypeConversionException;

/** Keys as they are typed and shown. */
final class KeyText {
    private KeyText() {}

    static Role role(String text) {
        try {
            return Role.parse(text);
        } catch (InvalidValueException e) {
            throw new TypeConversionException("expected client, worker, monitor or admin but was \"" + text + "\"");
        }
    }

    /** How a key stands by the clock of this machine; only the store's says for sure whether it has expired. */
    static String state(ApiKey key) {
        return key.stateAt(new SystemEnvironment().clock().instant()).word();
    }

    /** A key as programs read it. */
    static Map<String, Object> json(ApiKey key) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("id", key.id().value());
        shown.put("name", key.name().value());
        shown.put("role", key.role().word());
        shown.put("tenant", key.tenant().value());
        shown.put("createdAt", key.createdAt().toString());
        if (key.expiresAt() != null) {
            shown.put("expiresAt", key.expiresAt().toString());
        }
        if (key.revokedAt() != null) {
            shown.put("revokedAt", key.revokedAt().toString());
        }
        shown.put("state", state(key));
        return shown;
    }
}
