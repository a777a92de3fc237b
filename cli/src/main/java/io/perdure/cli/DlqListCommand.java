package io.perdure.cli;

import io.perdure.sdk.queue.DeadLetter;
import io.perdure.sdk.queue.MessagePage;
import io.perdure.sdk.queue.QueuedMessage;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code perdure dlq list}: the dead letters of a queue. */
@Command(
        name = "list",
        header = "Lists the dead letters of a queue, the first that was given up first.",
        description = {
            "ATTEMPTS is how often it was delivered; FIRST and LAST are how long ago. REASON is \"used up\" where that was",
            "all its deliveries, or \"rejected\". The list ends with where the next page begins; that place holds while",
            "dead letters come and go. The json format shows all that there is."
        },
        footer = {"Examples:", "  perdure dlq list mail --limit 100"})
final class DlqListCommand implements Runnable {
    private static final int WIDEST_ERROR = 40;

    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private PageOption page = new PageOption();

    @Mixin
    private DeadLettersArgument letters = new DeadLettersArgument();

    DlqListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        // A bad value is wrong usage, which must not leave a new store behind.
        int limit = page.limit();
        String after = page.afterMessage();
        MessagePage found =
                letters.with(where, terminal, dead -> after == null ? dead.list(limit) : dead.list(limit, after));
        format.print(terminal, MessageText.json(found), () -> print(found));
    }

    private void print(MessagePage found) {
        if (found.messages().isEmpty()) {
            terminal.out()
                    .println("There is no " + (page.after() == null ? "" : "further ") + "dead letter of "
                            + letters.queue() + ".");
            return;
        }
        TextTable table = new TextTable("DEAD LETTER", "ATTEMPTS", "REASON", "FIRST", "LAST", "LAST ERROR | BODY");
        for (QueuedMessage message : found.messages()) {
            Optional<DeadLetter> dead = message.deadLetter();
            table.row(
                    message.id().toString(),
                    dead.map(DeadLetter::deliveries).map(Units::count).orElse(""),
                    dead.map(DeadLetter::reason).map(MessageText::word).orElse(""),
                    message.firstDelivered().map(Age::textSince).orElse(""),
                    message.lastDelivered().map(Age::textSince).orElse(""),
                    errorAndBody(message));
        }
        table.printCut(terminal);
        PageOption.printNext(terminal, found.next());
    }

    private String errorAndBody(QueuedMessage message) {
        String error = MessageText.inATable(message.lastError().orElse("-"));
        String body = MessageText.inATable(message.body().text());
        return (terminal.columns() == Terminal.UNBOUNDED ? error : TextTable.cut(error, WIDEST_ERROR)) + " | " + body;
    }
}
