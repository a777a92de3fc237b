package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.SentMessage;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
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
            "When the command is done, the message is stored for good. A line that cannot be sent ends --lines:",
            "with exit code 2 where nothing was sent, with 1 where the lines before it were."
        })
final class QueueSendCommand implements Runnable {
    /** An object that lost its quotes does not; an empty text is left to the parser too. */
    private static final Pattern BEGINS_LIKE_JSON =
            Pattern.compile("\\s*+(?:\\z|\\{\\s*+(?:[\"}]|\\z)|\\[|\"|-?[0-9]|(?:true|false|null)\\b)");

    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private WhereOption where = new WhereOption();

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
        checkUsage();
        if (lines) {
            sendLines();
        } else {
            sendOne(single(read(String.valueOf(body))));
        }
    }

    private void checkUsage() {
        if (lines == (body != null)) {
            throw wrong(
                    lines
                            ? "With --lines the messages come from standard input, not from BODY"
                            : "Missing required parameter: 'BODY' (or --lines)");
        }
        if (lines && deduplicationId != null) {
            throw wrong("With --lines there is no --deduplication-id: it would stand for every line");
        }
        if (headers.containsKey("")) {
            throw wrong("Value for option '--header' has no NAME before the =");
        }
    }

    private ParameterException wrong(String what) {
        return new ParameterException(spec.commandLine(), what);
    }

    private Outgoing single(String content) {
        try {
            return outgoing(content);
        } catch (InvalidValueException e) {
            throw e.code() != ErrorCode.NOT_JSON
                            || BEGINS_LIKE_JSON.matcher(content).lookingAt()
                    ? e
                    : new InvalidValueException(
                            ErrorCode.NOT_JSON,
                            "The body is not JSON; mind the quotes that your shell takes away, or say --text.",
                            e);
        }
    }

    private void sendOne(Outgoing message) {
        SentMessage sent =
                where.with(name, terminal, engine -> engine.queue(name).send(message));
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("id", sent.id().toString());
        shown.put("created", sent.created());
        format.print(
                terminal,
                shown,
                () -> terminal.out()
                        .println(
                                sent.created()
                                        ? "Sent message " + sent.id() + " to " + name + "."
                                        : "Nothing was added: message " + sent.id() + " was sent to " + name
                                                + " with this deduplication id before."));
    }

    private void sendLines() {
        try {
            long sent = where.with(
                    name, terminal, engine -> new LineSender(engine.queue(name), this::outgoing).sendAll(input()));
            printSent(sent, () -> terminal.out().println("Sent " + QueueText.messages(sent) + " to " + name + "."));
        } catch (UnsentLinesException e) {
            // People read it in the error.
            printSent(e.sent(), () -> {});
            throw e;
        }
    }

    private void printSent(long sent, Runnable asText) {
        format.print(terminal, Map.of("sent", sent), asText);
    }

    private String read(String argument) {
        if (!argument.equals("-")) {
            return argument;
        }
        String input = input().whole();
        // A text that was piped in ends with a line break that nobody meant.
        return text && input.endsWith("\n") ? input.substring(0, input.length() - 1) : input;
    }

    private Input input() {
        return new Input(terminal.in(), Limits.defaults().queues().messageBytes());
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
