package io.perdure.cli;

import io.perdure.sdk.Limits;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code perdure limits}: every limit and default. */
@Command(
        name = "limits",
        header = "Prints every limit and default.",
        description = "What each of them bounds is told in docs/reference/limits.md.")
final class LimitsCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private FormatOption format = new FormatOption();

    LimitsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        List<Limit> limits = Limit.allOf(Limits.defaults());
        format.print(terminal, limits, () -> {
            TextTable table = new TextTable("LIMIT", "DEFAULT");
            limits.forEach(limit -> table.row(limit.name(), limit.text()));
            table.print(terminal);
        });
    }
}
