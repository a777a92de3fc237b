package io.perdure.cli;

import io.perdure.sdk.key.ApiKey;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code perdure key list}: the keys of a store, or those that a server lets its caller see. */
@Command(
        name = "list",
        header = "Lists the keys, also those that have expired or were revoked.",
        description = {
            "A store shows those of all tenants; a server, those of the tenant of the key that it is shown.",
            "What a key consists of beside its ID is stored nowhere, and so is not shown."
        })
final class KeyListCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    KeyListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        List<ApiKey> keys = where.either(
                terminal, store -> store.keys().list(), server -> server.keys().list());
        format.print(terminal, keys.stream().map(KeyText::json).toList(), () -> print(keys));
    }

    private void print(List<ApiKey> keys) {
        if (keys.isEmpty()) {
            terminal.out().println("There are no keys in " + where.shown(terminal) + ".");
            terminal.out().println("Make one:  perdure key create NAME" + where.repeated());
            return;
        }
        TextTable table = new TextTable("ID", "NAME", "ROLE", "TENANT", "CREATED", "EXPIRES", "STATE");
        for (ApiKey key : keys) {
            table.row(
                    key.id().value(),
                    Failures.harmless(key.name().value()),
                    key.role().word(),
                    key.tenant().value(),
                    EventText.time(key.createdAt()),
                    key.expiresAt() == null ? "never" : EventText.time(key.expiresAt()),
                    KeyText.state(key));
        }
        table.print(terminal);
    }
}
