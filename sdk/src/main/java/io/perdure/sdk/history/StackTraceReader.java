package io.perdure.sdk.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes a {@link RecordedException} of a failure and the stack trace that {@link StackTraceText} wrote. Lines that it cannot read are left out. */
final class StackTraceReader {
    private static final String FRAME = "at ";
    private static final String CAUSE = "Caused by: ";
    private static final String SUPPRESSED = "Suppressed: ";
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");
    private static final int NATIVE = -2;
    private static final int UNKNOWN = -1;

    private @Nullable Found root;
    /** The newest error for each indentation of a headline; the index is the number of tabs. */
    private final List<Found> newest = new ArrayList<>();

    private StackTraceReader() {}

    /** An error as the stack trace shows it. */
    private static final class Found {
        private final String headline;
        private final List<StackTraceElement> frames = new ArrayList<>();
        private final List<Found> suppressed = new ArrayList<>();
        private @Nullable Found cause;

        Found(String headline) {
            this.headline = headline;
        }

        String type() {
            int end = headline.indexOf(": ");
            return end < 0 ? headline : headline.substring(0, end);
        }

        String message() {
            int end = headline.indexOf(": ");
            return end < 0 ? "" : headline.substring(end + 2);
        }
    }

    static RecordedException read(Failure failure, boolean withMessages) {
        StackTraceReader reader = new StackTraceReader();
        String trace = failure.stackTrace();
        if (trace != null) {
            trace.lines().forEach(reader::add);
        }
        return exception(failure, reader.root, withMessages);
    }

    private void add(String line) {
        int tabs = 0;
        while (tabs < line.length() && line.charAt(tabs) == '\t') {
            tabs++;
        }
        String text = line.substring(tabs);
        if (root == null) {
            root = new Found(text);
            newest.add(root);
        } else if (text.startsWith(CAUSE) && tabs < newest.size()) {
            Found cause = new Found(text.substring(CAUSE.length()));
            newest.get(tabs).cause = cause;
            begin(tabs, cause);
        } else if (text.startsWith(SUPPRESSED) && tabs >= 1 && tabs <= newest.size()) {
            Found suppressed = new Found(text.substring(SUPPRESSED.length()));
            newest.get(tabs - 1).suppressed.add(suppressed);
            begin(tabs, suppressed);
        } else if (text.startsWith(FRAME) && tabs >= 1 && tabs <= newest.size()) {
            frame(text.substring(FRAME.length())).ifPresent(newest.get(tabs - 1).frames::add);
        }
    }

    private void begin(int tabs, Found found) {
        newest.subList(tabs, newest.size()).clear();
        newest.add(found);
    }

    /** Reads {@code class.method(File.java:12)}; empty if it is something else. */
    private static Optional<StackTraceElement> frame(String text) {
        int open = text.lastIndexOf('(');
        int dot = text.lastIndexOf('.', open);
        if (open < 0 || dot < 0 || !text.endsWith(")")) {
            return Optional.empty();
        }
        String type = text.substring(0, dot);
        String method = text.substring(dot + 1, open);
        String place = text.substring(open + 1, text.length() - 1);
        if (place.equals("Native Method")) {
            return Optional.of(new StackTraceElement(type, method, null, NATIVE));
        }
        int colon = place.lastIndexOf(':');
        int number = colon < 0 ? UNKNOWN : number(place.substring(colon + 1));
        String file = number == UNKNOWN ? place : place.substring(0, colon);
        return Optional.of(new StackTraceElement(type, method, file.equals("Unknown Source") ? null : file, number));
    }

    private static int number(String digits) {
        return NUMBER.matcher(digits).matches() ? Integer.parseInt(digits) : UNKNOWN;
    }

    /**
     * Rebuilds an error of what is known of it: one of the two at least. The failure knows the whole message.
     *
     * @param failure the error, if it is the failure or one of its causes
     * @param found the error in the stack trace, if it was written there
     */
    private static RecordedException exception(@Nullable Failure failure, @Nullable Found found, boolean withMessages) {
        Failure deeper = failure == null ? null : failure.cause();
        Found below = found == null ? null : found.cause;
        RecordedException cause = deeper == null && below == null ? null : exception(deeper, below, withMessages);
        String type = failure != null ? failure.type() : found != null ? found.type() : "";
        String message = failure != null ? failure.message() : found != null ? found.message() : "";
        RecordedException exception = new RecordedException(type, withMessages ? message : "", cause);
        exception.setStackTrace(
                found == null ? new StackTraceElement[0] : found.frames.toArray(StackTraceElement[]::new));
        if (found != null) {
            found.suppressed.forEach(other -> exception.addSuppressed(exception(null, other, withMessages)));
        }
        return exception;
    }
}
