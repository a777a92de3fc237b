package io.perdure.cli;

import io.perdure.sdk.queue.QueueSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The settings of a queue: the options that creating and updating one share. */
final class SettingsOption {
    @Option(
            names = "--visibility",
            paramLabel = "TIME",
            description = "How long a received message stays with its receiver; 30s in a new queue.")
    private @Nullable Duration visibility;

    @Option(
            names = "--retries",
            paramLabel = "NUMBER",
            description = "Deliveries after the first before a message is given up; 3 in a new queue.")
    private @Nullable Integer retries;

    @Option(
            names = "--dead-letters",
            negatable = true,
            description = {
                "Whether messages that were given up are kept in NAME.dlq, as those of a new queue are,",
                "or deleted (--no-dead-letters)."
            })
    private @Nullable Boolean deadLetters;

    @Option(
            names = "--retention",
            paramLabel = "TIME",
            description = "How long a message is kept that nobody deals with; 4d in a new queue.")
    private @Nullable Duration retention;

    @Option(
            names = "--dead-letter-retention",
            paramLabel = "TIME",
            description = "How long a dead letter is kept; 4d in a new queue.")
    private @Nullable Duration deadLetterRetention;

    @Option(
            names = "--max-delay",
            paramLabel = "TIME",
            description = "The longest delay that a message may ask for; 12h in a new queue.")
    private @Nullable Duration maxDelay;

    /** Whether none was given. */
    boolean isEmpty() {
        return visibility == null
                && retries == null
                && deadLetters == null
                && retention == null
                && deadLetterRetention == null
                && maxDelay == null;
    }

    /** These settings with those that were given in their place; {@code PD-007} where one is out of bounds. */
    QueueSettings over(QueueSettings base) {
        QueueSettings settings = visibility == null ? base : base.visibility(visibility);
        settings = retries == null ? settings : settings.retries(retries);
        settings = deadLetters == null ? settings : settings.deadLetters(deadLetters);
        settings = retention == null ? settings : settings.retention(retention);
        settings = deadLetterRetention == null ? settings : settings.deadLetterRetention(deadLetterRetention);
        return maxDelay == null ? settings : settings.maxDelay(maxDelay);
    }
}
