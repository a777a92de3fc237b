package io.perdure.sdk.id;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import java.util.UUID;

/**
 * Proves that its holder leased a message: the message's id and the token of that lease. Whoever leases the message next
 * brings another token, and this receipt is worth nothing from then on.
 */
public record Receipt(MessageId message, UUID token) {
    /** Reads the form that {@link #toString} prints; anything else is {@code PD-006}. */
    public static Receipt parse(String text) {
        int dot = text.indexOf('.');
        if (dot < 0) {
            throw new InvalidValueException(ErrorCode.INVALID_ID, "A receipt has the form <message id>.<token>.");
        }
        return new Receipt(
                MessageId.parse(text.substring(0, dot)), Names.uuid("receipt token", text.substring(dot + 1)));
    }

    @Override
    public String toString() {
        return message + "." + token;
    }
}
