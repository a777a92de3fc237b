package io.perdure.cli;

import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.QueueSettings;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code perdure queue update}: changes some of a queue's settings. */
@Command(
        name = "update",
        header = "Changes settings of a queue; those that are not given stay as they are.",
        description = {
            "They hold for messages that are sent or received from now on. A process that runs takes up to 5 seconds to",
            "notice another visibility. Lengths of time are written 500ms, 30s, 5m, 12h, 4d or PT1M30S."
        },
        footer = {
            "Examples:",
            "  perdure queue update mail --visibility 2m --retries 5",
            "  perdure queue update mail --no-dead-letters"
        })
final class QueueUpdateCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private SettingsOption given = new SettingsOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "NAME", description = "The queue.")
    private String name = "";

    QueueUpdateCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        checkUsage();
        where.with(name, terminal, engine -> {
            MessageQueue queue = engine.queue(name);
            QueueSettings settings = given.over(queue.settings());
            boolean changed = queue.update(settings);
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("name", name);
            shown.put("changed", changed);
            shown.putAll(QueueText.settings(settings));
            format.print(terminal, shown, () -> print(settings, changed));
            return queue;
        });
    }

    private void checkUsage() {
        if (new QueueName(name).holdsDeadLetters()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "%s has the settings of %s; update that one".formatted(name, QueueText.ofDeadLetters(name)));
        }
        if (given.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "Say by options what to change");
        }
        // A bad value is wrong usage, which must not leave a new store behind.
        given.over(QueueSettings.defaults());
    }

    private void print(QueueSettings settings, boolean changed) {
        terminal.out()
                .println(
                        changed
                                ? "Queue " + name + " is changed. It is now so:"
                                : "Nothing was done: queue " + name + " was so before.");
        QueueText.print(terminal, name, settings);
    }
}
