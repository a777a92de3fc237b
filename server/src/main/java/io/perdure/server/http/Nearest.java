package io.perdure.server.http;

import java.util.Comparator;
import java.util.List;

/** Finds the name that somebody may have meant. */
final class Nearest {
    private static final int LONGEST = 64;

    private Nearest() {}

    /** The one of these that takes the fewest changes of a letter to be what was written. */
    static String to(String written, List<String> known) {
        String cut = written.substring(0, Math.min(written.length(), LONGEST));
        return known.stream()
                .min(Comparator.comparingInt(one -> distance(cut, one)))
                .orElseThrow();
    }

    private static int distance(String left, String right) {
        int[] row = new int[right.length() + 1];
        for (int j = 0; j <= right.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= left.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= right.length(); j++) {
                int above = row[j];
                int replaced = diagonal + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(row[j - 1], above) + 1);
                diagonal = above;
            }
        }
        return row[right.length()];
    }
}
