package io.perdure.cli;

import java.util.ArrayList;
import java.util.List;

/** Breaks text into lines at words. */
final class Wrap {
    private Wrap() {}

    /** At least one line; a single word that is longer than the width stays whole. */
    static List<String> lines(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.strip().split("\\s+", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
