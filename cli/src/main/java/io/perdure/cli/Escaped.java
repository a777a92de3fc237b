package io.perdure.cli;

/**
 * Text that stays in its line and moves no cursor, whatever is in it: control characters, marks that turn the direction of writing, other ends of
 * lines and halves of characters are written as what they are.
 */
final class Escaped {
    private static final int HEX_DIGITS = 4;

    private Escaped() {}

    /** For people: all else is left as it is. */
    static String text(CharSequence text) {
        StringBuilder escaped = new StringBuilder(text.length());
        text.codePoints().forEach(point -> append(escaped, point));
        return escaped.toString();
    }

    /** As a string of JSON, with its quotes. */
    static String json(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 2).append('"');
        text.codePoints().forEach(point -> {
            if (point == '"' || point == '\\') {
                escaped.append('\\');
            }
            append(escaped, point);
        });
        return escaped.append('"').toString();
    }

    private static void append(StringBuilder escaped, int point) {
        switch (point) {
            case '\n' -> escaped.append("\\n");
            case '\r' -> escaped.append("\\r");
            case '\t' -> escaped.append("\\t");
            default -> {
                if (isHarmless(point)) {
                    escaped.appendCodePoint(point);
                } else {
                    for (char unit : Character.toChars(point)) {
                        String hex = Integer.toHexString(unit);
                        escaped.append("\\u")
                                .append("0".repeat(HEX_DIGITS - hex.length()))
                                .append(hex);
                    }
                }
            }
        }
    }

    private static boolean isHarmless(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
