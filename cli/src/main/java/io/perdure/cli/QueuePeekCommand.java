package io.perdure.cli;

import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.queue.DeadLetter;
import io.perdure.sdk.queue.MessagePage;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.QueuedMessage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code perdure queue peek}: looks at messages and leaves them where they are. */
@Command(
        name = "peek",
        header = "Looks at messages without receiving them.",
        description = {
            "They are listed by when they are or become ready; SENT is how long ago. ATTEMPTS of a dead letter are those",
            "in the queue that gave it up. The list ends with where the next page begins; that place holds while messages",
            "come and go. The json format shows all that there is."
        },
        footer = {"Examples:", "  perdure queue peek mail --limit 5"})
final class QueuePeekCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private PageOption page = new PageOption();

    @Parameters(index = "0", paramLabel = "NAME", description = "The queue; NAME.dlq for its dead letters.")
    private String name = "";

    QueuePeekCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        // A bad value is wrong usage, which must not leave a new store behind.
        int limit = page.limit();
        String after = page.afterMessage();
        MessagePage found = where.with(name, terminal, engine -> {
            MessageQueue queue = engine.queue(name);
            return after == null ? queue.messages(limit) : queue.messages(limit, after);
        });
        format.print(terminal, MessageText.json(found), () -> print(found));
    }

    private void print(MessagePage found) {
        if (found.messages().isEmpty()) {
            terminal.out()
                    .println("There is no " + (page.after() == null ? "" : "further ") + "message in " + name + ".");
            return;
        }
        boolean dead = new QueueName(name).holdsDeadLetters();
        TextTable table =
                new TextTable("MESSAGE", "STATE", "ATTEMPTS", "SENT", dead ? "ORIGIN | REASON | BODY" : "BODY");
        for (QueuedMessage message : found.messages()) {
            table.row(
                    message.id().toString(),
                    MessageText.state(message),
                    Units.count(message.deadLetter().map(DeadLetter::deliveries).orElse(message.attempts())),
                    Age.textSince(message.sentAt()),
                    message.deadLetter().map(QueuePeekCommand::givenUp).orElse("")
                            + MessageText.inATable(message.body().text()));
        }
        table.printCut(terminal);
        PageOption.printNext(terminal, found.next());
    }

    private static String givenUp(DeadLetter dead) {
        return dead.origin() + " | " + MessageText.word(dead.reason()) + " | ";
    }
}
