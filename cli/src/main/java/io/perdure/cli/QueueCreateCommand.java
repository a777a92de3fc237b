package io.perdure.cli;

import io.perdure.core.store.QueueSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code perdure queue create}: a queue with its settings. */
@Command(
        name = "create",
        header = "Creates a queue, and NAME.dlq for its dead letters.",
        description = {
            "A queue that exists with the same settings is left as it is; other settings are an error.",
            "Lengths of time are written 500ms, 30s, 5m, 12h, 4d or PT1M30S."
        })
final class QueueCreateCommand implements Runnable {
    private static final int WIDEST = 100;

    private final Terminal terminal;

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Parameters(index = "0", paramLabel = "NAME", description = "1 to 48 of a-z, 0-9 and _, not beginning with __.")
    private String name = "";

    @Option(
            names = "--visibility",
            paramLabel = "TIME",
            description = "How long a received message stays with its receiver. Without it: 30s.")
    private @Nullable Duration visibility;

    @Option(
            names = "--retries",
            paramLabel = "NUMBER",
            description = "Deliveries after the first before a message is given up. Without it: 3.")
    private @Nullable Integer retries;

    @Option(
            names = "--no-dead-letters",
            description = "Delete messages that were given up, instead of keeping them in NAME.dlq.")
    private boolean noDeadLetters;

    @Option(
            names = "--retention",
            paramLabel = "TIME",
            description = "How long a message is kept that nobody deals with. Without it: 4d.")
    private @Nullable Duration retention;

    @Option(
            names = "--dead-letter-retention",
            paramLabel = "TIME",
            description = "How long a dead letter is kept. Without it: 4d.")
    private @Nullable Duration deadLetterRetention;

    @Option(
            names = "--max-delay",
            paramLabel = "TIME",
            description = "The longest delay that a message may ask for. Without it: 12h.")
    private @Nullable Duration maxDelay;

    QueueCreateCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        QueueSettings settings = settings();
        store.with(name, terminal, perdure -> perdure.createQueue(name, settings));
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("name", name);
        shown.putAll(QueueText.settings(settings));
        format.print(terminal, shown, () -> {
            terminal.out().println("Queue " + name + " is there.");
            Wrap.lines(QueueText.sentences(name, settings), Math.min(terminal.columns(), WIDEST) - 2)
                    .forEach(line -> terminal.out().println("  " + line));
            terminal.out()
                    .println(
                            "Send to it:  perdure queue send " + name + store.repeated() + " '{\"hello\": \"world\"}'");
        });
    }

    private QueueSettings settings() {
        QueueSettings settings = QueueSettings.defaults().deadLetters(!noDeadLetters);
        settings = visibility == null ? settings : settings.visibility(visibility);
        settings = retries == null ? settings : settings.retries(retries);
        settings = retention == null ? settings : settings.retention(retention);
        settings = deadLetterRetention == null ? settings : settings.deadLetterRetention(deadLetterRetention);
        return maxDelay == null ? settings : settings.maxDelay(maxDelay);
    }
}
