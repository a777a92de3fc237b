package io.perdure.cli;

import io.perdure.core.Perdure;
import io.perdure.core.store.Stores;
import io.perdure.sdk.key.ApiKey;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code perdure key list}: the keys of all tenants. */
@Command(
        name = "list",
        header = "Lists the keys of all tenants, also those that have expired or were revoked.",
        description = "What a key consists of beside its ID is stored nowhere, and so is not shown.")
final class KeyListCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private FormatOption format = new FormatOption();

    KeyListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        List<ApiKey> keys;
        try (Perdure perdure = store.open(terminal)) {
            keys = perdure.keys().list();
        }
        format.print(terminal, keys.stream().map(KeyText::json).toList(), () -> print(keys));
    }

    private void print(List<ApiKey> keys) {
        if (keys.isEmpty()) {
            terminal.out().println("There are no keys in " + Stores.shown(store.url(terminal)) + ".");
            terminal.out().println("Make one:  perdure key create NAME" + store.repeated());
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
