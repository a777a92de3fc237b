package io.perdure.store.postgres;

import java.nio.ByteBuffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Oid;

/**
 * UUIDs as Postgres sends an array in binary. The driver does this for numbers and texts, but writes out and quotes each UUID:
 * 36 letters for 16 bytes, to be parsed again by the server.
 */
final class UuidArray {
    private static final int HEADER_BYTES = 5 * Integer.BYTES;
    private static final int UUID_BYTES = 2 * Long.BYTES;
    private static final int NULL = -1;

    private UuidArray() {}

    static byte[] of(@Nullable UUID[] ids) {
        ByteBuffer bytes = ByteBuffer.allocate(HEADER_BYTES + ids.length * (Integer.BYTES + UUID_BYTES));
        boolean empty = ids.length == 0;
        bytes.putInt(empty ? 0 : 1).putInt(hasNull(ids) ? 1 : 0).putInt(Oid.UUID);
        if (!empty) {
            bytes.putInt(ids.length).putInt(1);
        }
        for (UUID id : ids) {
            if (id == null) {
                bytes.putInt(NULL);
            } else {
                bytes.putInt(UUID_BYTES);
                bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
            }
        }
        byte[] sent = new byte[bytes.flip().remaining()];
        bytes.get(sent);
        return sent;
    }

    private static boolean hasNull(@Nullable UUID[] ids) {
        for (UUID id : ids) {
            if (id == null) {
                return true;
            }
        }
        return false;
    }
}
