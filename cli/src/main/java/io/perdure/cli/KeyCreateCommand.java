package io.perdure.cli;

import io.perdure.core.store.Bounds;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.id.KeyName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.key.ApiKey;
import io.perdure.sdk.key.NewKey;
import io.perdure.sdk.key.Role;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code perdure key create}: a key, and the one time that it is seen. */
@Command(
        name = "create",
        header = "Makes a key, and prints it this once.",
        description = {
            "What is stored is a hash, so a key that was lost cannot be shown again: revoke it, and make another one.",
            "Lengths of time are written 12h, 90d or PT1M30S."
        })
final class KeyCreateCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Parameters(
            index = "0",
            paramLabel = "NAME",
            description = "What people are to know it by: 1 to 128 bytes. Several keys may have the same.")
    private String name = "";

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            defaultValue = "client",
            description = "client, worker, monitor or admin; client without it.")
    private Role role = Role.CLIENT;

    @Option(
            names = "--tenant",
            paramLabel = "TENANT",
            description =
                    "Whose data it opens; \"default\" without it. Over a server: always that of the key that it is shown.")
    private @Nullable String tenant;

    @Option(
            names = "--expires",
            paramLabel = "AFTER",
            description = "How long it counts, at most 3650d. Without it: until it is revoked.")
    private @Nullable Duration expires;

    KeyCreateCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        // Bad values are wrong usage, which must not leave a new store behind.
        TenantId owner = owner();
        String checked = new KeyName(name).value();
        if (expires != null) {
            Bounds.expiry(expires);
        }
        NewKey made = where.either(
                terminal,
                store -> store.keys().create(owner, checked, role, expires),
                server -> server.keys().create(checked, role, expires));
        Map<String, Object> shown = KeyText.json(made.key());
        shown.put("token", made.token());
        format.print(terminal, shown, () -> print(made));
    }

    private TenantId owner() {
        if (tenant == null) {
            return TenantId.DEFAULT;
        }
        if (where.isServer(terminal)) {
            throw new InvalidValueException(
                    ErrorCode.USAGE, "--tenant is for a store: over a server it is that of the key that it is shown.");
        }
        return new TenantId(tenant);
    }

    private void print(NewKey made) {
        ApiKey key = made.key();
        terminal.out().println(made.token());
        terminal.out().println();
        terminal.out().println("Keep it now: it is not shown again.");
        terminal.out()
                .println("It is a %s key of tenant %s, and counts until %s."
                        .formatted(
                                key.role().word(),
                                key.tenant(),
                                key.expiresAt() == null ? "it is revoked" : EventText.time(key.expiresAt())));
        terminal.out().println("Revoke it:  perdure key revoke " + key.id() + where.repeated());
    }
}
