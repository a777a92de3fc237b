package io.perdure.cli;

import io.perdure.sdk.Limits;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code perdure limits}: every limit, its default and what it bounds. */
@Command(
        name = "limits",
        header = "Prints every limit, its default and what it bounds.",
        description = "docs/reference/limits.md has the same, by subject.")
final class LimitsCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private FormatOption format = new FormatOption();

    LimitsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        List<Limit> limits = Limit.allOf(Limits.defaults(), LimitsPage.packed());
        format.print(terminal, limits, () -> {
            TextTable table = new TextTable("LIMIT", "DEFAULT", "WHAT IT BOUNDS");
            limits.forEach(limit -> table.row(limit.name(), limit.text(), limit.description()));
            table.print(terminal);
        });
    }
}
