package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Texts from standard input, each of which is to become a message. What is not UTF-8 is {@code PD-004}: a replacement character
 * would be stored as if it had been sent. More bytes than a message has are {@code PD-003}, and are not held in memory. Input
 * that cannot be read, such as a folder, is {@code PD-901}.
 */
final class Input {
    private static final int END = -1;

    private final InputStream in;
    private final int mostBytes;
    private boolean afterReturn;

    Input(InputStream in, int mostBytes) {
        this.in = in;
        this.mostBytes = mostBytes;
    }

    /** All there is. One byte more than a message has is let through: the line break that ends a file. */
    String whole() {
        try {
            byte[] bytes = in.readNBytes(mostBytes + 1);
            if (bytes.length > mostBytes && (bytes[mostBytes] != '\n' || in.read() != END)) {
                throw tooLarge("Standard input");
            }
            return text(bytes, "Standard input");
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** The next line without what ends it, which is a line feed, a carriage return or both; null after the last. */
    @Nullable
    String line() {
        try {
            int next = in.read();
            if (afterReturn && next == '\n') {
                next = in.read();
            }
            afterReturn = false;
            return next == END ? null : lineFrom(next);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private String lineFrom(int first) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int next = first;
        while (next != END && next != '\n' && next != '\r') {
            if (line.size() == mostBytes) {
                throw tooLarge("The line");
            }
            line.write(next);
            next = in.read();
        }
        afterReturn = next == '\r';
        return text(line.toByteArray(), "The line");
    }

    private static String text(byte[] bytes, String what) {
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        try {
            // A new decoder reports what it cannot read; those of String and Reader put a replacement there.
            return StandardCharsets.UTF_8.newDecoder().decode(rest).toString();
        } catch (CharacterCodingException e) {
            throw new InvalidValueException(
                    ErrorCode.NOT_JSON, what + " is not UTF-8: byte " + (rest.position() + 1) + " is wrong.", e);
        }
    }

    private InvalidValueException tooLarge(String what) {
        return new InvalidValueException(
                ErrorCode.VALUE_TOO_LARGE,
                String.format(Locale.ROOT, "%s has more than %,d bytes, which is all that fits.", what, mostBytes));
    }

    private static InvalidValueException unreadable(IOException cause) {
        return new InvalidValueException(
                ErrorCode.USAGE, "Standard input cannot be read: " + cause.getMessage() + ".", cause);
    }
}
