package io.perdure.sdk.id;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.RefusedException;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Proves that its holder leased a message: the message's id and the token of that lease. Whoever leases the message next
 * brings another token, and this receipt is worth nothing from then on.
 *
 * @param groupHash of the group that the message was in ({@link GroupKey#hashIn}), 0 where it was in none. Proves nothing: what is said of
 *     a message goes the same way as what is sent to its group, and so neither waits for the other
 */
public record Receipt(MessageId message, UUID token, int groupHash) {
    private static final HexFormat HEX = HexFormat.of();

    /** Of a message in no group. */
    public Receipt(MessageId message, UUID token) {
        this(message, token, 0);
    }

    public static Receipt of(MessageId message, UUID token, QueueName queue, @Nullable GroupKey group) {
        return new Receipt(message, token, group == null ? 0 : group.hashIn(queue));
    }

    /** Reads the form that {@link #toString} prints; anything else is {@code PD-006}. */
    public static Receipt parse(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length < 2 || parts.length > 3) {
            throw new InvalidValueException(
                    ErrorCode.INVALID_ID,
                    "A receipt has the form <message id>.<token> or <message id>.<token>.<group>.");
        }
        return new Receipt(
                MessageId.parse(parts[0]),
                Names.uuid("receipt token", parts[1]),
                parts.length == 2 ? 0 : groupHash(parts[2]));
    }

    /** What whoever uses this receipt is told once it is worth nothing. */
    public RefusedException lost() {
        return new RefusedException(
                ErrorCode.LEASE_LOST, "Message %s is no longer held under token %s.".formatted(message, token));
    }

    private static int groupHash(String text) {
        try {
            int hash = HexFormat.fromHexDigits(text);
            if (hash != 0 && HEX.toHexDigits(hash).equals(text)) {
                return hash;
            }
        } catch (IllegalArgumentException _) {
            // Said below.
        }
        throw new InvalidValueException(
                ErrorCode.INVALID_ID, "The group of a receipt has eight digits, 0 to 9 and a to f, and is not zero.");
    }

    @Override
    public String toString() {
        return message + "." + token + (groupHash == 0 ? "" : "." + HEX.toHexDigits(groupHash));
    }
}
