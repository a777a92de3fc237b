package io.perdure.cli;

import io.perdure.core.Perdure;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.id.KeyId;
import io.perdure.sdk.key.ApiKey;
import io.perdure.sdk.key.RevokedKey;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code perdure key revoke}: a key that counts no longer. */
@Command(
        name = "revoke",
        header = "Revokes a key for good.",
        description = {
            "Every server refuses it within 5 seconds. It stays in the list; one that was revoked before is left as it is.",
            "Servers ask for keys also when the last one is revoked: the next one is then made with --store."
        })
final class KeyRevokeCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Parameters(
            index = "0",
            paramLabel = "ID",
            description = "As \"perdure key list\" prints it; the 16 characters after pd_ in the key.")
    private String id = "";

    KeyRevokeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        // A bad id is wrong usage, which must not leave a new store behind.
        KeyId asked = new KeyId(id);
        RevokedKey revoked = where.either(
                terminal, store -> revoke(store, asked), server -> server.keys().revoke(asked.value()));
        ApiKey key = revoked.key();
        format.print(
                terminal,
                KeyText.json(key),
                () -> terminal.out()
                        .println("Key %s (%s) %s."
                                .formatted(
                                        asked,
                                        Failures.harmless(key.name().value()),
                                        revoked.now() ? "is revoked" : "was revoked before")));
    }

    private RevokedKey revoke(Perdure perdure, KeyId asked) {
        boolean now = perdure.keys().revoke(asked.value());
        return perdure.keys().list().stream()
                .filter(listed -> listed.id().equals(asked))
                .findFirst()
                .map(key -> new RevokedKey(key, now))
                .orElseThrow(() -> new RefusedException(
                        ErrorCode.NO_SUCH_KEY, "There is no key %s in %s.".formatted(asked, where.shown(terminal))));
    }
}
