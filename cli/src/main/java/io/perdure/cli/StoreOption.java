package io.perdure.cli;

import io.perdure.core.Perdure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The {@code --store} that every command which needs one shares. */
final class StoreOption {
    private static final String DEFAULT = "jdbc:sqlite:perdure.db";
    private static final String VARIABLE = "PERDURE_STORE";

    @Option(
            names = "--store",
            paramLabel = "URL",
            description = {
                "Where the data is, such as jdbc:sqlite:app.db; created where there is none.",
                "Without it: what PERDURE_STORE says, or else " + DEFAULT + ", a file in this folder."
            })
    private @Nullable String url;

    /** Opens the store that was asked for; the caller closes it. */
    Perdure open(Terminal terminal) {
        return Perdure.open(url(terminal));
    }

    String url(Terminal terminal) {
        if (url != null) {
            return url;
        }
        String variable = terminal.environment().getOrDefault(VARIABLE, "");
        return variable.isEmpty() ? DEFAULT : variable;
    }

    /** What to add to a command that is to find the same store, with a blank before it; nothing where it would anyway. */
    String repeated() {
        return url == null ? "" : " --store " + ShellWord.of(url);
    }
}
