package io.perdure.cli;

import io.perdure.sdk.PerdureException;
import io.perdure.sdk.history.RecordedException;
import io.perdure.sdk.logging.LogKey;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a log says of one event, in one line: nothing that is quoted in it can begin another line, or drive a terminal.
 *
 * @param context whose it is, by the words of {@link LogKey}
 */
record LogLine(
        Instant at,
        LogOptions.Threshold level,
        String logger,
        String thread,
        String message,
        Map<String, String> context,
        @Nullable Throwable thrown) {
    private static final int MOST_CAUSES = 8;
    private static final String INDENT = "    ";

    LogLine {
        at = at.truncatedTo(ChronoUnit.MICROS);
    }

    /** For people. */
    String text() {
        StringBuilder line = new StringBuilder()
                .append(at.truncatedTo(ChronoUnit.MILLIS))
                .append(' ')
                .append(level)
                .append(' ')
                .append(logger);
        if (!context.isEmpty()) {
            line.append(' ').append(context);
        }
        line.append(": ").append(message);
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
            line.append(depth == 0 ? " " : " Because of ").append(shown(cause));
            cause = cause.getCause();
        }
        return Escaped.text(line);
    }

    /** The same, followed by where it was thrown, each line of that set in. */
    String textWithStack() {
        StringBuilder lines = new StringBuilder(text());
        if (thrown != null) {
            stack(thrown)
                    .lines()
                    .forEach(line -> lines.append(System.lineSeparator())
                            .append(INDENT)
                            .append(Escaped.text(line.replace("\t", INDENT))));
        }
        return lines.toString();
    }

    /** For programs: an object whose fields are as {@code docs/reference/logs.md} tells. */
    String json() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("time", Escaped.json(at.toString()));
        fields.put("level", Escaped.json(level.name()));
        fields.put("logger", Escaped.json(logger));
        fields.put("thread", Escaped.json(thread));
        fields.put("message", Escaped.json(message));
        context.forEach((word, value) -> fields.put(word, Escaped.json(value)));
        if (thrown != null) {
            Map<String, String> error = new LinkedHashMap<>();
            error.put("class", Escaped.json(type(thrown)));
            error.put("message", Escaped.json(message(thrown)));
            error.put("stack", Escaped.json(stack(thrown)));
            fields.put("error", object(error));
        }
        return object(fields);
    }

    private static String object(Map<String, String> fields) {
        StringBuilder object = new StringBuilder("{");
        fields.forEach((name, value) -> object.append(object.length() == 1 ? "" : ",")
                .append('"')
                .append(name)
                .append("\":")
                .append(value));
        return object.append('}').toString();
    }

    /** The class of the error; of one that a step threw, which is shown by another one, the class that it had there. */
    private static String type(Throwable thrown) {
        return thrown instanceof RecordedException recorded
                ? recorded.type()
                : thrown.getClass().getName();
    }

    private static String message(Throwable thrown) {
        return thrown instanceof RecordedException recorded ? recorded.said() : String.valueOf(thrown.getMessage());
    }

    private static String stack(Throwable thrown) {
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace, true));
        return trace.toString();
    }

    /** An error of ours says what it is; any other also where it was thrown. */
    private static String shown(Throwable cause) {
        StackTraceElement[] from = cause.getStackTrace();
        return cause instanceof PerdureException
                ? String.valueOf(cause.getMessage())
                : cause + (from.length == 0 ? "." : " at " + from[0] + ".");
    }
}
