package io.perdure.cli;

import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;

/** A send of lines ended before the last of them. The message is the whole line to print, code first. */
final class UnsentLinesException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long sent;

    UnsentLinesException(String line, long sent, PerdureException cause) {
        super(line, cause);
        this.sent = sent;
    }

    /** How many messages were sent before. */
    long sent() {
        return sent;
    }

    /** A bad value is wrong usage only as long as nothing was done. */
    int exitCode() {
        return sent == 0 && getCause() instanceof InvalidValueException ? Failures.WRONG_USAGE : Failures.FAILED;
    }
}
