package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sends each line as a message, as many at a time as one send takes; each of those sends happens whole or not at all. */
final class LineSender {
    private static final Limits.Queues LIMITS = Limits.defaults().queues();

    private final MessageQueue queue;
    private final Function<String, Outgoing> message;
    private final List<Outgoing> batch = new ArrayList<>();
    private int batchBytes;
    private long number;
    private long sent;
    private LineSpan span = LineSpan.START;

    LineSender(MessageQueue queue, Function<String, Outgoing> message) {
        this.queue = queue;
        this.message = message;
    }

    /**
     * Answers how many were sent. A line that cannot be sent ends it, as does a store that fails: the
     * {@link UnsentLinesException} says which lines were sent and which were not.
     */
    long sendAll(Input lines) {
        for (String line = next(lines); line != null; line = next(lines)) {
            if (!line.isBlank()) {
                add(line);
            }
        }
        span = span.atEnd();
        flush();
        return sent;
    }

    private @Nullable String next(Input lines) {
        number++;
        try {
            return lines.line();
        } catch (InvalidValueException e) {
            throw badLine(e);
        }
    }

    private void add(String line) {
        Outgoing next;
        try {
            next = message.apply(line);
            checkSize(next);
        } catch (InvalidValueException e) {
            throw badLine(e);
        }
        int bytes = next.body().bytes() + headerBytes(next);
        if (batch.size() == LIMITS.batchMessages() || batchBytes + bytes > LIMITS.batchBytes()) {
            flush();
        }
        batch.add(next);
        batchBytes += bytes;
        span = span.with(number);
    }

    private void flush() {
        if (batch.isEmpty()) {
            return;
        }
        try {
            sent += queue.sendAll(batch).size();
        } catch (PerdureException e) {
            throw stopped(e);
        }
        batch.clear();
        batchBytes = 0;
        span = span.sent();
    }

    /** As the engine would, which names a message by an id that nobody here has seen. */
    private static void checkSize(Outgoing message) {
        int headers = headerBytes(message);
        message.body()
                .within(
                        Math.max(0, LIMITS.messageBytes() - headers),
                        headers == 0 ? "The body" : "Beside its headers, the body");
    }

    private static int headerBytes(Outgoing message) {
        return message.headers().entrySet().stream()
                .mapToInt(header -> utf8(header.getKey()) + utf8(header.getValue()))
                .sum();
    }

    private static int utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private UnsentLinesException badLine(InvalidValueException e) {
        flush();
        String before = sent == 0
                ? "nothing was sent"
                : sent == 1
                        ? "the message before it was sent"
                        : "the " + QueueText.messages(sent) + " before it were sent";
        String what = "Line " + number + " cannot be sent; " + before + ". " + e.what();
        return new UnsentLinesException(coded(e.code(), what, e.code().remedy()), sent, e);
    }

    private UnsentLinesException stopped(PerdureException e) {
        ErrorCode code = e.code();
        // Remedies speak of one call, and some say that nothing was changed.
        String remedy = sent == 0 ? code.remedy() : "\"perdure explain " + code.code() + "\" says what to do.";
        return new UnsentLinesException(coded(code, e.what() + " " + span.sentences(code), remedy), sent, e);
    }

    private static String coded(ErrorCode code, String what, String remedy) {
        return code.code() + " " + what + " " + remedy;
    }
}
