package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.queue.DeadLetters;
import io.perdure.sdk.queue.MessagePage;
import io.perdure.sdk.queue.QueuedMessage;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code perdure dlq show}: one dead letter, and what it went through. */
@Command(
        name = "show",
        header = "Shows a dead letter: what it went through, and what it says.",
        description = "It is not received by that, and its record stays as it is.")
final class DlqShowCommand implements Runnable {
    private static final int PAGE = 500;

    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private DeadLettersArgument letters = new DeadLettersArgument();

    @Parameters(index = "1", paramLabel = "ID", description = "The dead letter's id.")
    private String id = "";

    DlqShowCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        // A bad id is wrong usage, which must not leave a new store behind.
        MessageId asked = MessageId.parse(id);
        QueuedMessage found = letters.with(where, terminal, dead -> find(dead, asked));
        format.print(terminal, MessageText.json(found), () -> print(found));
    }

    private QueuedMessage find(DeadLetters dead, MessageId asked) {
        MessagePage page = dead.list(PAGE);
        Optional<QueuedMessage> found = among(page, asked);
        while (found.isEmpty() && page.next() != null) {
            page = dead.list(PAGE, page.next());
            found = among(page, asked);
        }
        return found.orElseThrow(() -> new RefusedException(
                ErrorCode.NO_SUCH_MESSAGE,
                "Queue %s has no dead letter %s; \"perdure dlq list %s\" shows those that it has."
                        .formatted(letters.queue(), asked, letters.queue() + where.repeated())));
    }

    private static Optional<QueuedMessage> among(MessagePage page, MessageId asked) {
        return page.messages().stream()
                .filter(message -> message.id().equals(asked))
                .findFirst();
    }

    private void print(QueuedMessage message) {
        message.deadLetter().ifPresent(dead -> MessageText.print(terminal, message, dead));
        terminal.out().println();
        terminal.out().println("To have it delivered again:");
        terminal.out().println("  perdure dlq redrive" + where.repeated() + " " + letters.queue() + " " + message.id());
    }
}
