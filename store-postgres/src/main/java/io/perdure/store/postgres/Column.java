package io.perdure.store.postgres;

import java.util.List;
import java.util.UUID;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** A column of many rows, as an array of the database. One without a value is no array at all, but has its type all the same. */
final class Column {
    private Column() {}

    /**
     * A value or an array that is null. The driver keeps what it has prepared for the types that were bound: with a null of no
     * type every other mixture of commits would be prepared anew.
     */
    enum Absent {
        INT("int4"),
        INTS("_int4"),
        LONG("int8"),
        LONGS("_int8"),
        // What the driver takes a String for.
        TEXT("varchar"),
        TEXTS("_varchar"),
        ID("uuid"),
        IDS("_uuid");

        private final String type;

        Absent(String type) {
            this.type = type;
        }

        /** Its name in the catalogue. */
        String type() {
            return type;
        }

        /** A value, or this in its place. */
        Object unless(@Nullable Object value) {
            return value == null ? this : value;
        }
    }

    static <T> Object ints(List<T> rows, ToIntFunction<T> value) {
        return rows.isEmpty() ? Absent.INTS : rows.stream().mapToInt(value).toArray();
    }

    static <T> Object longs(List<T> rows, ToLongFunction<T> value) {
        return rows.isEmpty() ? Absent.LONGS : rows.stream().mapToLong(value).toArray();
    }

    static <T> Object intsOrNull(List<T> rows, Value<T, Integer> value) {
        @Nullable Integer[] ints = new Integer[rows.size()];
        return filled(rows, value, ints) ? ints : Absent.INTS;
    }

    static <T> Object longsOrNull(List<T> rows, Value<T, Long> value) {
        @Nullable Long[] longs = new Long[rows.size()];
        return filled(rows, value, longs) ? longs : Absent.LONGS;
    }

    static <T> Object texts(List<T> rows, Value<T, String> value) {
        @Nullable String[] texts = new String[rows.size()];
        return filled(rows, value, texts) ? texts : Absent.TEXTS;
    }

    static <T> Object ids(List<T> rows, Value<T, UUID> value) {
        @Nullable UUID[] ids = new UUID[rows.size()];
        return filled(rows, value, ids) ? ids : Absent.IDS;
    }

    private static <T, V> boolean filled(List<T> rows, Value<T, V> value, @Nullable V[] values) {
        boolean any = false;
        for (int at = 0; at < values.length; at++) {
            V one = value.of(rows.get(at));
            values[at] = one;
            any |= one != null;
        }
        return any;
    }

    /** What a row has in the column. */
    @FunctionalInterface
    interface Value<T, V> {
        @Nullable
        V of(T row);
    }
}
