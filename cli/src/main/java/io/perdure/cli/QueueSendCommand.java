package io.perdure.cli;

import io.perdure.core.Perdure;
import io.perdure.core.queue.MessageQueue;
import io.perdure.core.queue.Outgoing;
import io.perdure.core.store.Outcome.SentMessage;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code perdure queue send}: one message, or one per line of what is piped in. */
@Command(
        name = "send",
        header = "Sends a message, or one per line of standard input.",
        description = {
            "The body is JSON, such as '{\"to\": \"a@b.c\"}'; with --text it is any text, sent as a JSON string.",
            "When the command is done, the message is stored for good."
        })
final class QueueSendCommand implements Runnable {
    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Parameters(index = "0", paramLabel = "NAME", description = "The queue.")
    private String name = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "BODY",
            description = "The body; - reads it from standard input.")
    private @Nullable String body;

    @Option(
            names = "--lines",
            description = "Sends each line of standard input as a message; empty lines are left out.")
    private boolean lines;

    @Option(names = "--text", description = "The body is text, not JSON.")
    private boolean text;

    @Option(
            names = "--delay",
            paramLabel = "TIME",
            description = "Keeps the message out of sight for so long, such as 30s, 5m or 12h.")
    private Duration delay = Duration.ZERO;

    @Option(
            names = "--group",
            paramLabel = "KEY",
            description = "Messages of one group are delivered in order, one at a time.")
    private @Nullable String group;

    @Option(
            names = "--deduplication-id",
            paramLabel = "ID",
            description = "A second message with this id within 5 minutes adds nothing.")
    private @Nullable String deduplicationId;

    @Option(
            names = "--header",
            paramLabel = "NAME=VALUE",
            description = "A header of the message; may be given more than once.")
    private Map<String, String> headers = new LinkedHashMap<>();

    QueueSendCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        if (lines == (body != null)) {
            throw new ParameterException(
                    spec.commandLine(),
                    lines
                            ? "With --lines the messages come from standard input, not from BODY"
                            : "Missing required parameter: 'BODY' (or --lines)");
        }
        if (lines && deduplicationId != null) {
            throw new ParameterException(
                    spec.commandLine(), "With --lines there is no --deduplication-id: it would stand for every line");
        }
        if (lines) {
            sendLines();
        } else {
            sendOne(single(read(String.valueOf(body))));
        }
    }

    private Outgoing single(String content) {
        try {
            return outgoing(content);
        } catch (InvalidValueException e) {
            throw e.code() != ErrorCode.NOT_JSON
                    ? e
                    : new InvalidValueException(
                            ErrorCode.NOT_JSON,
                            "The body is not JSON; mind the quotes that your shell takes away, or say --text.",
                            e);
        }
    }

    private void sendOne(Outgoing message) {
        SentMessage sent;
        try (Perdure perdure = store.open(terminal)) {
            sent = perdure.queue(name).send(message);
        }
        format.print(
                terminal,
                Map.of("id", sent.id().toString(), "created", sent.created()),
                () -> terminal.out()
                        .println(
                                sent.created()
                                        ? "Sent message " + sent.id() + " to " + name + "."
                                        : "Nothing was added: message " + sent.id() + " was sent to " + name
                                                + " with this deduplication id before."));
    }

    private void sendLines() {
        long sent;
        try (Perdure perdure = store.open(terminal)) {
            MessageQueue queue = perdure.queue(name);
            sent = new LineSender(queue, this::outgoing).sendAll(terminal.in());
        }
        format.print(
                terminal,
                Map.of("sent", sent),
                () -> terminal.out().println("Sent " + QueueText.messages(sent) + " to " + name + "."));
    }

    private String read(String argument) {
        if (!argument.equals("-")) {
            return argument;
        }
        try {
            String input = terminal.in().readAllAsString();
            // A text that was piped in ends with a line break that nobody meant.
            return text && input.endsWith("\n") ? input.substring(0, input.length() - 1) : input;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Outgoing outgoing(String content) {
        Outgoing message =
                Outgoing.of(text ? Json.string(content) : Json.of(content)).delay(delay);
        for (Map.Entry<String, String> header : headers.entrySet()) {
            message = message.header(header.getKey(), header.getValue());
        }
        message = group == null ? message : message.group(group);
        return deduplicationId == null ? message : message.deduplicationId(deduplicationId);
    }
}
