package io.perdure.store.sqlite;

import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A statement over as many rows as there are, in as few pieces as a handful of prepared sizes allow: 100 rows are 64, 32
 * and 4. Values that all rows share are bound once for each piece.
 */
final class ManyRows {
    private static final int[] SIZES = {64, 32, 16, 8, 4, 2, 1};

    private final String[] texts = new String[SIZES.length];
    private final int shared;
    private final int columns;

    /**
     * @param shared how many values the rows share: the statement names them {@code ?1}, {@code ?2} and so on
     * @param row what is written for each row; a lone {@code ?} is a value of its own
     */
    ManyRows(int shared, String before, String row, String after) {
        this.shared = shared;
        columns = parts(row).length - 1;
        for (int at = 0; at < SIZES.length; at++) {
            texts[at] = before + rows(shared, parts(row), SIZES[at]) + after;
        }
    }

    private static String[] parts(String row) {
        return row.split("\\?(?![0-9])", -1);
    }

    private static String rows(int shared, String[] parts, int count) {
        StringJoiner rows = new StringJoiner(", ");
        int parameter = shared;
        for (int row = 0; row < count; row++) {
            StringBuilder text = new StringBuilder(parts[0]);
            for (int part = 1; part < parts.length; part++) {
                parameter++;
                text.append('?').append(parameter).append(parts[part]);
            }
            rows.add(text);
        }
        return rows.toString();
    }

    /** Runs one piece of the statement. */
    @FunctionalInterface
    interface Piece {
        void run(String sql, @Nullable Object[] values, int rows);
    }

    /** Runs the statement over all values, which are those of the first row, of the second, and so on. */
    void each(List<? extends @Nullable Object> common, List<? extends @Nullable Object> values, Piece piece) {
        int from = 0;
        for (int at = 0; at < SIZES.length; at++) {
            int size = SIZES[at] * columns;
            while (values.size() - from >= size) {
                @Nullable Object[] bound = new Object[shared + size];
                for (int value = 0; value < shared; value++) {
                    bound[value] = common.get(value);
                }
                for (int value = 0; value < size; value++) {
                    bound[shared + value] = values.get(from + value);
                }
                piece.run(texts[at], bound, SIZES[at]);
                from += size;
            }
        }
    }
}
