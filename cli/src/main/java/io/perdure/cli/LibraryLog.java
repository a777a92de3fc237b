package io.perdure.cli;

import io.perdure.sdk.PerdureException;
import java.io.PrintWriter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the libraries log, ours among them, and who sees it. There is one for the whole process. */
final class LibraryLog {
    /** Held here, because a logger that nobody holds is forgotten, and its level with it. Costs a command 25 ms. */
    private static final List<Logger> LIBRARIES = Stream.of(
                    "io.perdure", "io.helidon", "org.sqlite", "org.postgresql", "com.zaxxer.hikari")
            .map(Logger::getLogger)
            .toList();

    /** Complains in two lines of a start that failed, for which there is a coded one. */
    private static final Logger STARTS = Logger.getLogger("io.helidon.webserver.LoomServer");

    private LibraryLog() {}

    /** Drops it: what concerns who runs a command is a coded line. */
    static void drop() {
        set(Level.OFF, null);
    }

    /** Shows it as Java does, with where everything came from: for who looks for a fault. */
    static void showAll() {
        set(null, null);
    }

    /** Shows warnings and what is worse, each in one line: for who looks after a server, which answers to somebody else. */
    static void showWarnings(PrintWriter out) {
        set(Level.WARNING, new Lines(out));
    }

    private static void set(@Nullable Level level, @Nullable Lines lines) {
        for (Logger library : LIBRARIES) {
            for (Handler handler : library.getHandlers()) {
                if (handler instanceof Lines) {
                    library.removeHandler(handler);
                }
            }
            library.setUseParentHandlers(lines == null);
            if (lines != null) {
                library.addHandler(lines);
            }
            library.setLevel(level);
        }
        STARTS.setLevel(lines == null ? null : Level.OFF);
    }

    /** Prints each record as a line. */
    private static final class Lines extends Handler {
        private static final int MOST_CAUSES = 8;

        private final Formatter text = new SimpleFormatter();
        private final PrintWriter out;

        Lines(PrintWriter out) {
            this.out = out;
        }

        @Override
        public void publish(LogRecord logged) {
            if (isLoggable(logged)) {
                String line = "%s %s %s: %s%s"
                        .formatted(
                                logged.getInstant().truncatedTo(ChronoUnit.MILLIS),
                                logged.getLevel().equals(Level.SEVERE) ? "ERROR" : logged.getLevel(),
                                logged.getLoggerName(),
                                text.formatMessage(logged),
                                because(logged.getThrown()));
                out.println(Failures.line(line));
                out.flush();
            }
        }

        private static String because(@Nullable Throwable thrown) {
            StringBuilder told = new StringBuilder();
            Throwable cause = thrown;
            for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
                told.append(depth == 0 ? " " : " Because of ").append(shown(cause));
                cause = cause.getCause();
            }
            return told.toString();
        }

        /** An error of ours says what it is; any other also where it was thrown. */
        private static String shown(Throwable cause) {
            StackTraceElement[] from = cause.getStackTrace();
            return cause instanceof PerdureException
                    ? String.valueOf(cause.getMessage())
                    : cause + (from.length == 0 ? "." : " at " + from[0] + ".");
        }

        @Override
        public void flush() {
            out.flush();
        }

        /** The writer is the terminal's, which has more to say. */
        @Override
        public void close() {
            flush();
        }
    }
}
