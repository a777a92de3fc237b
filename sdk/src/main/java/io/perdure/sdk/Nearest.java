package io.perdure.sdk;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds what someone meant who mistyped a name, whatever the case of its letters. */
public final class Nearest {
    /** Nobody types more; whoever sends more is not to cost more. */
    private static final int LONGEST = 64;

    /** What is shorter is the beginning of anything. */
    private static final int SHORTEST_BEGINNING = 3;

    private Nearest() {}

    /**
     * The known name with the fewest differing letters, and among those the one that begins alike the longest; else the only one that
     * begins with all that was written. None where every one of them would be a guess.
     */
    public static Optional<String> to(String written, Collection<String> known) {
        String asked = written.substring(0, Math.min(written.length(), LONGEST)).toLowerCase(Locale.ROOT);
        int tolerated = Math.max(1, asked.length() / 3);
        return known.stream()
                .filter(name -> distance(asked, name) <= tolerated)
                .min(Comparator.<String>comparingInt(name -> distance(asked, name))
                        .thenComparingInt(name -> -sharedStart(asked, name))
                        .thenComparing(Comparator.naturalOrder()))
                .or(() -> onlyOneThatBeginsWith(asked, known));
    }

    private static Optional<String> onlyOneThatBeginsWith(String asked, Collection<String> known) {
        List<String> beginning = known.stream()
                .filter(name -> name.toLowerCase(Locale.ROOT).startsWith(asked))
                .distinct()
                .toList();
        return asked.length() >= SHORTEST_BEGINNING && beginning.size() == 1
                ? Optional.of(beginning.getFirst())
                : Optional.empty();
    }

    private static int sharedStart(String asked, String other) {
        String name = other.toLowerCase(Locale.ROOT);
        int shared = 0;
        while (shared < Math.min(asked.length(), name.length()) && asked.charAt(shared) == name.charAt(shared)) {
            shared++;
        }
        return shared;
    }

    /** Letters to insert, delete or replace, or to swap with their neighbour. */
    private static int distance(String from, String name) {
        String to = name.toLowerCase(Locale.ROOT);
        int[][] distance = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                distance[i][j] = i == 0 || j == 0 ? i + j : least(distance, from, to, i, j);
            }
        }
        return distance[from.length()][to.length()];
    }

    private static int least(int[][] distance, String from, String to, int i, int j) {
        int replaced = distance[i - 1][j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        int least = Math.min(replaced, 1 + Math.min(distance[i - 1][j], distance[i][j - 1]));
        boolean swapped =
                i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1);
        return swapped ? Math.min(least, 1 + distance[i - 2][j - 2]) : least;
    }
}
