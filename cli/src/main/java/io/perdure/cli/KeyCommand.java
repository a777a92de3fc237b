package io.perdure.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code perdure key}: without a command it shows what there is. */
@Command(
        name = "key",
        header = "Makes, lists and revokes the keys that a server asks for.",
        description = {
            "A key opens the data of one tenant, for what its role allows: client for runs and queues, worker for those and",
            "to run workflows, admin for everything. Commands that open the store themselves need none."
        },
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "Examples:",
            "  perdure key create shop",
            "  perdure key create shop-workers --role worker --expires 90d",
            "  perdure key list",
            "  perdure key revoke ID"
        })
final class KeyCommand implements Runnable {
    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    KeyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        spec.commandLine().usage(terminal.out());
    }
}
