package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which part of a list is shown: the options that every command with pages shares. */
final class PageOption {
    @Option(
            names = "--limit",
            paramLabel = "NUMBER",
            defaultValue = "20",
            description = "At most so many (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Option(names = "--after", paramLabel = "PLACE", description = "Goes on where another list ended.")
    private @Nullable String after;

    /** At most so many; {@code PD-007} where that is more than a page has, or none. */
    int limit() {
        int most = Limits.defaults().calls().pageRows();
        if (limit < 1 || limit > most) {
            throw new InvalidValueException(
                    ErrorCode.OUT_OF_BOUNDS, "--limit is " + limit + "; it must lie between 1 and " + most + ".");
        }
        return limit;
    }

    /** Where the page begins; absent for the first. */
    @Nullable
    String after() {
        return after;
    }

    /** Says where the next page begins, if there is one. */
    static void printNext(Terminal terminal, @Nullable String next) {
        if (next != null) {
            terminal.out().println();
            terminal.out().println("There may be more; go on with --after " + ShellWord.of(next));
        }
    }
}
