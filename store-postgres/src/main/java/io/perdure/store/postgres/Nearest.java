package io.perdure.store.postgres;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/** Finds the key that someone meant who mistyped it. */
final class Nearest {
    private Nearest() {}

    /** The known key with the fewest differing letters, whatever their case; none where each would be a guess. */
    static Optional<String> to(String asked, Collection<String> known) {
        int tolerated = Math.max(1, asked.length() / 3);
        return known.stream()
                .filter(name -> distance(asked, name) <= tolerated)
                .min(Comparator.<String>comparingInt(name -> distance(asked, name))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** Levenshtein's: letters to insert, delete or replace. */
    private static int distance(String asked, String name) {
        String from = asked.toLowerCase(Locale.ROOT);
        String to = name.toLowerCase(Locale.ROOT);
        int[] row = IntStream.rangeClosed(0, to.length()).toArray();
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
