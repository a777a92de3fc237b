package io.perdure.cli;

import io.perdure.sdk.queue.QueueSettings;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private SettingsOption given = new SettingsOption();

    @Parameters(index = "0", paramLabel = "NAME", description = "1 to 48 of a-z, 0-9 and _, not beginning with __.")
    private String name = "";

    QueueCreateCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        QueueSettings settings = given.over(QueueSettings.defaults());
        where.with(name, terminal, engine -> engine.createQueue(name, settings));
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("name", name);
        shown.putAll(QueueText.settings(settings));
        format.print(terminal, shown, () -> {
            terminal.out().println("Queue " + name + " is there.");
            QueueText.print(terminal, name, settings);
            terminal.out()
                    .println(
                            "Send to it:  perdure queue send " + name + where.repeated() + " '{\"hello\": \"world\"}'");
        });
    }
}
