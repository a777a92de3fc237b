package io.perdure.sdk.logging;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.spi.CallerBoundaryAware;
import org.slf4j.spi.LoggingEventBuilder;

/** A logger of Java's form whose lines go to one of SLF4J's. */
record Slf4jLogger(Logger log) implements System.Logger {
    @Override
    public String getName() {
        return log.getName();
    }

    @Override
    public boolean isLoggable(Level level) {
        return level != Level.OFF && log.isEnabledForLevel(level(level));
    }

    @Override
    public void log(
            Level level, @Nullable ResourceBundle bundle, @Nullable String message, @Nullable Throwable thrown) {
        if (isLoggable(level)) {
            LoggingEventBuilder line = log.makeLoggingEventBuilder(level(level));
            if (line instanceof CallerBoundaryAware aware) {
                // Who logs calls a method of that interface: where a line came from is where that was called.
                aware.setCallerBoundary(System.Logger.class.getName());
            }
            // Without values it is no pattern: a message may quote anything, braces as well.
            line.setMessage(String.valueOf(message)).setCause(thrown).log();
        }
    }

    @Override
    public void log(
            Level level,
            @Nullable ResourceBundle bundle,
            @Nullable String format,
            @Nullable Object @Nullable ... values) {
        if (isLoggable(level)) {
            String pattern = String.valueOf(format);
            String message = values == null || values.length == 0 ? pattern : MessageFormat.format(pattern, values);
            log(level, bundle, message, (Throwable) null);
        }
    }

    private static org.slf4j.event.Level level(Level level) {
        return switch (level) {
            case ERROR, OFF -> org.slf4j.event.Level.ERROR;
            case WARNING -> org.slf4j.event.Level.WARN;
            case INFO -> org.slf4j.event.Level.INFO;
            case DEBUG -> org.slf4j.event.Level.DEBUG;
            case TRACE, ALL -> org.slf4j.event.Level.TRACE;
        };
    }
}
