package io.perdure.cli;

import io.perdure.sdk.json.Json;
import io.perdure.sdk.workflow.Match;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The {@code --match} that commands which choose messages by their bodies share. */
final class MatchOption {
    @Option(
            names = "--match",
            paramLabel = "JSON",
            description = {
                "Only messages whose body contains this, such as '{\"kind\": \"invoice\"}': an object with these",
                "members, and maybe more."
            })
    private @Nullable String match;

    /**
     * What bodies must contain; absent where any will do. {@code PD-004} where it is not JSON, {@code PD-007} where it is too much
     * to look for.
     */
    @Nullable
    Json part(Terminal terminal) {
        if (match == null) {
            return null;
        }
        Json part = JsonArgument.read("--match", match, terminal);
        Match.containing(part);
        return part;
    }

    boolean isGiven() {
        return match != null;
    }
}
