package io.perdure.cli;

import io.perdure.sdk.logging.LogKey;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** What the libraries log, ours among them, and who sees it. There is one for the whole process. */
final class LibraryLog {
    /** Held here, as the next, because a logger that nobody holds is forgotten, and its level with it. Costs a command 25 ms. */
    private static final Logger OURS = Logger.getLogger("io.perdure");

    private static final List<Logger> OTHERS = Stream.of(
                    "io.helidon",
                    "io.micrometer",
                    "io.opentelemetry",
                    "io.prometheus",
                    "org.sqlite",
                    "org.postgresql",
                    "com.zaxxer.hikari")
            .map(Logger::getLogger)
            .toList();

    /** Complains in two lines of a start that failed, for which there is a coded one. */
    private static final Logger STARTS = Logger.getLogger("io.helidon.webserver.LoomServer");

    /** Whatever else logs: nobody knows all loggers that a library may come with. */
    private static final Logger ROOT = Logger.getLogger("");

    /** How Java had set that up, while ours is in its place. Not asked for by commands: it would have Java make a handler. */
    private static @Nullable Setup javas;

    private LibraryLog() {}

    /** Drops it: what concerns who runs a command is a coded line. */
    static void drop() {
        set(Level.OFF, Level.OFF, null);
    }

    /** Shows it as Java does, with where everything came from: for who looks for a fault in a command. */
    static void showAll() {
        set(null, null, null);
    }

    /** Shows it in lines: for who looks after a server, which answers to somebody else. */
    static void show(LogOptions options, PrintWriter out) {
        set(options.threshold().level(), options.threshold().ofOthers(), new Lines(options, out));
    }

    private static void set(@Nullable Level ours, @Nullable Level others, @Nullable Lines lines) {
        lead(OURS, ours, lines);
        OTHERS.forEach(library -> lead(library, others, lines));
        STARTS.setLevel(lines == null ? null : Level.OFF);
        setRoot(others, lines);
        Thread.setDefaultUncaughtExceptionHandler(lines == null ? null : LibraryLog::uncaught);
    }

    /** By itself Java would print a stack: many lines, and none of them of the log. */
    private static void uncaught(Thread thread, Throwable thrown) {
        OURS.log(Level.SEVERE, thrown, () -> "A thread ended by an error that nobody caught.");
    }

    private static synchronized void setRoot(@Nullable Level level, @Nullable Lines lines) {
        if (javas != null) {
            javas.restore();
            javas = null;
        }
        if (lines != null) {
            javas = Setup.take();
            ROOT.addHandler(lines);
            ROOT.setLevel(level);
        }
    }

    /** What the root logger was set to. */
    private record Setup(List<Handler> handlers, @Nullable Level level) {
        static Setup take() {
            Setup found = new Setup(List.of(ROOT.getHandlers()), ROOT.getLevel());
            found.handlers().forEach(ROOT::removeHandler);
            return found;
        }

        void restore() {
            Stream.of(ROOT.getHandlers()).forEach(ROOT::removeHandler);
            handlers.forEach(ROOT::addHandler);
            ROOT.setLevel(level);
        }
    }

    /** Has what a library logs come here, or where Java takes it. */
    private static void lead(Logger library, @Nullable Level level, @Nullable Lines lines) {
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

    /** Prints each record as a line. */
    private static final class Lines extends Handler {
        private final Formatter text = new SimpleFormatter();
        private final LogOptions options;
        private final PrintWriter out;

        Lines(LogOptions options, PrintWriter out) {
            this.options = options;
            this.out = out;
        }

        @Override
        public void publish(LogRecord logged) {
            if (isLoggable(logged)) {
                LogLine line = new LogLine(
                        logged.getInstant(),
                        LogOptions.Threshold.of(logged.getLevel()),
                        String.valueOf(logged.getLoggerName()),
                        thread(),
                        String.valueOf(text.formatMessage(logged)),
                        context(),
                        logged.getThrown());
                out.println(
                        switch (options.format()) {
                            case JSON -> line.json();
                            case TEXT -> options.stacks() ? line.textWithStack() : line.text();
                        });
                out.flush();
            }
        }

        /** The one that logs is the one that is here: nothing hands records on. Threads that answer requests have no names. */
        private static String thread() {
            Thread current = Thread.currentThread();
            return current.getName().isEmpty() ? "thread-" + current.threadId() : current.getName();
        }

        private static Map<String, String> context() {
            Map<String, String> context = new LinkedHashMap<>();
            for (LogKey key : LogKey.values()) {
                String value = MDC.get(key.key());
                if (value != null) {
                    context.put(key.word(), value);
                }
            }
            return context;
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
