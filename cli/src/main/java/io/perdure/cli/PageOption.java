package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which part of a list is shown: the options that every command with pages shares. */
final class PageOption {
    /** How such a place looks. Whether it has a time and an id that can be is for the list to say. */
    private static final Pattern PLACE_OF_MESSAGES =
            Pattern.compile("ready_\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

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

    /** The same in a list of messages; {@code PD-006} for what is no place there, before a store is opened. */
    @Nullable
    String afterMessage() {
        if (after != null && !PLACE_OF_MESSAGES.matcher(after).matches()) {
            throw new InvalidValueException(
                    ErrorCode.INVALID_ID, "\"" + after + "\" is no place in a list of messages.");
        }
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
