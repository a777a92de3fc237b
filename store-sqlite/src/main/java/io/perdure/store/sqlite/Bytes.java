package io.perdure.store.sqlite;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.UUID;

/** UUIDs as 16 bytes, most significant first, so that they sort in a database as they are made. */
final class Bytes {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** Sixteen zeroes. */
    static final UUID NIL = new UUID(0, 0);

    private Bytes() {}

    static byte[] of(UUID id) {
        byte[] bytes = new byte[16];
        LONGS.set(bytes, 0, id.getMostSignificantBits());
        LONGS.set(bytes, 8, id.getLeastSignificantBits());
        return bytes;
    }

    static UUID uuid(byte[] bytes) {
        return new UUID((long) LONGS.get(bytes, 0), (long) LONGS.get(bytes, 8));
    }
}
