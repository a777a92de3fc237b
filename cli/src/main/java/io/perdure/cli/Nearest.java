package io.perdure.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds what someone meant who mistyped a name. */
final class Nearest {
    private Nearest() {}

    /**
     * The known name with the fewest differing letters, and among those the one that begins alike the longest; none
     * where every one of them would be a guess.
     */
    static Optional<String> to(String asked, Collection<String> known) {
        int tolerated = Math.max(1, asked.length() / 3);
        return known.stream()
                .filter(name -> distance(asked, name) <= tolerated)
                .min(Comparator.<String>comparingInt(name -> distance(asked, name))
                        .thenComparingInt(name -> -sharedStart(asked, name))
                        .thenComparing(Comparator.naturalOrder()));
    }

    private static int sharedStart(String asked, String name) {
        int shared = 0;
        while (shared < Math.min(asked.length(), name.length()) && asked.charAt(shared) == name.charAt(shared)) {
            shared++;
        }
        return shared;
    }

    /** Levenshtein's distance: letters to insert, delete or replace. */
    private static int distance(String from, String to) {
        int[] previous = new int[to.length() + 1];
        int[] current = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            current[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
            }
            int[] finished = current;
            current = previous;
            previous = finished;
        }
        return previous[to.length()];
    }
}
