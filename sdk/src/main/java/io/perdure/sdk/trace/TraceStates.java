package io.perdure.sdk.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a W3C {@code tracestate} may look like: entries of those who trace, separated by commas, each a key and a value. What is none is dropped without a word,
 * whole, as the specification has it: it is nobody's reason to refuse work.
 */
final class TraceStates {
    /** What everybody has to hand on; of more than that as much as fits is. */
    static final int MOST_CHARACTERS = 512;

    /** What is looked at, at most: nobody's business is longer. */
    private static final int LONGEST_READ = 8_192;

    /** Where there is no room for all of them, entries that are longer than this go first. */
    private static final int LONG_ENTRY = 128;

    private static final int MOST_ENTRIES = 32;
    private static final Pattern OUTER_SPACE = Pattern.compile("^[ \t]+|[ \t]+$");
    private static final Pattern ENTRY = Pattern.compile("""
            ([a-z0-9][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})\
            =([ -+\\--<>-~]{0,255}[!-+\\--<>-~])""");

    private TraceStates() {}

    /** The entries, written without spaces between them; empty where there are none. */
    static String read(String text) {
        return text.isEmpty() || text.length() > LONGEST_READ
                ? ""
                : cut(String.join(",", entries(text).values()), MOST_CHARACTERS);
    }

    /** By their keys, in their order; none where one of them is malformed. */
    private static Map<String, String> entries(String text) {
        Map<String, String> entries = new LinkedHashMap<>();
        for (String part : text.split(",", -1)) {
            String member = OUTER_SPACE.matcher(part).replaceAll("");
            Matcher entry = ENTRY.matcher(member);
            if (member.isEmpty()) {
                continue;
            }
            if (!entry.matches() || entries.put(entry.group(1), member) != null || entries.size() > MOST_ENTRIES) {
                return Map.of();
            }
        }
        return entries;
    }

    /** As much of them as so many characters hold, always whole entries: long ones go first, and then those at the end, which are the oldest. */
    static String cut(String state, int most) {
        if (state.length() <= most) {
            return state;
        }
        List<String> kept = new ArrayList<>(List.of(state.split(",")));
        int length = state.length();
        for (int longest : List.of(LONG_ENTRY, 0)) {
            for (int i = kept.size() - 1; i >= 0 && length > most; i--) {
                if (kept.get(i).length() > longest) {
                    length -= kept.remove(i).length() + 1;
                }
            }
        }
        return String.join(",", kept);
    }
}
