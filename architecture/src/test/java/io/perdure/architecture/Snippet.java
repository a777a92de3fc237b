package io.perdure.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A block of Java in a page.
 *
 * @param place page and line
 * @param source what the comment before it names as its origin, {@code path#region}; empty where there is none
 * @param code the block's text
 */
record Snippet(String place, String source, String code) {
    private static final Pattern ORIGIN = Pattern.compile("<!-- from (\\S+\\.java#[\\w-]+) -->");

    static List<Snippet> in(TextFile page) {
        List<Snippet> snippets = new ArrayList<>();
        List<String> lines = page.lines();
        String origin = "";
        for (int i = 0; i < lines.size(); i++) {
            Matcher comment = ORIGIN.matcher(lines.get(i).strip());
            if (lines.get(i).strip().equals("```java")) {
                int end = i + 1;
                while (end < lines.size() && !lines.get(end).strip().equals("```")) {
                    end++;
                }
                String code = String.join("\n", lines.subList(i + 1, end));
                snippets.add(new Snippet(page.path() + ":" + (i + 1), origin, code));
                i = end;
                origin = "";
            } else if (comment.matches()) {
                origin = comment.group(1);
            } else if (!lines.get(i).isBlank()) {
                origin = "";
            }
        }
        return snippets;
    }

    /** The lines between {@code // region NAME} and {@code // endregion}, without their common indentation. */
    static String region(TextFile file, String name) {
        List<String> lines = file.lines();
        int start = indexOf(lines, "// region " + name, 0);
        int end = indexOf(lines, "// endregion", start + 1);
        if (start < 0 || end < 0) {
            throw new AssertionError(file.path() + " has no region " + name);
        }
        return String.join("\n", lines.subList(start + 1, end)).stripIndent().strip();
    }

    private static int indexOf(List<String> lines, String wanted, int from) {
        for (int i = from; i < lines.size(); i++) {
            if (lines.get(i).strip().equals(wanted)) {
                return i;
            }
        }
        return -1;
    }
}
