package io.perdure.cli;

import io.perdure.core.queue.MessageQueue;
import io.perdure.core.queue.Outgoing;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Sends each line as a message, as many at a time as one send takes; each of those sends happens whole or not at all. */
final class LineSender {
    private static final Limits.Queues LIMITS = Limits.defaults().queues();

    /** Room that is left for headers, whose size is not known here. */
    private static final long BATCH_BYTES = LIMITS.batchBytes() / 2;

    private final MessageQueue queue;
    private final Function<String, Outgoing> message;
    private final List<Outgoing> batch = new ArrayList<>();
    private long batchBytes;
    private long sent;

    LineSender(MessageQueue queue, Function<String, Outgoing> message) {
        this.queue = queue;
        this.message = message;
    }

    /** Answers how many were sent; a line that cannot be sent ends it, and the error says which and what was sent before. */
    long sendAll(BufferedReader lines) {
        try {
            long number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!line.isBlank()) {
                    add(line, number);
                }
            }
            flush();
            return sent;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(String line, long number) {
        Outgoing next;
        try {
            next = message.apply(line);
            next.body().within(LIMITS.messageBytes(), "The body");
        } catch (InvalidValueException e) {
            flush();
            throw atLine(number, e);
        }
        int bytes = next.body().bytes();
        if (batch.size() == LIMITS.batchMessages() || batchBytes + bytes > BATCH_BYTES) {
            flush();
        }
        batch.add(next);
        batchBytes += bytes;
    }

    private void flush() {
        sent += queue.sendAll(batch).size();
        batch.clear();
        batchBytes = 0;
    }

    private InvalidValueException atLine(long number, InvalidValueException e) {
        String what = String.valueOf(e.getMessage())
                .replaceFirst("^" + e.code().code() + " ", "")
                .replace(" " + e.code().remedy(), "");
        String before = sent == 0 ? "nothing was sent" : "the " + QueueText.messages(sent) + " before it were sent";
        return new InvalidValueException(e.code(), "Line " + number + " cannot be sent; " + before + ". " + what, e);
    }
}
