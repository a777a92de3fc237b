package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.json.Json;
import org.jspecify.annotations.Nullable;

/** A value that a command is given as JSON: as an argument, on standard input, or not at all. */
final class JsonArgument {
    private static final String STANDARD_INPUT = "-";
    private static final int MOST_BYTES = Limits.defaults().values().inlineBytes();

    private JsonArgument() {}

    /** The value, {@code null} where there is none; {@code PD-004} naming {@code what} where it is not JSON. */
    static Json read(String what, @Nullable String given, Terminal terminal) {
        if (given == null) {
            return Json.NULL;
        }
        return of(what, given.equals(STANDARD_INPUT) ? new Input(terminal.in(), MOST_BYTES).whole() : given);
    }

    /** The value that a text is; {@code PD-004} naming {@code what} where it is not JSON. */
    static Json of(String what, String text) {
        try {
            return Json.of(text).within(MOST_BYTES, what);
        } catch (InvalidValueException e) {
            throw e.code() == ErrorCode.NOT_JSON
                    ? new InvalidValueException(
                            e.code(), what + ": " + e.what() + " Mind the quotes that your shell takes away.", e)
                    : e;
        }
    }
}
