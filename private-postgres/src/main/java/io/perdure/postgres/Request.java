package io.perdure.postgres;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a client sends before it waits: one simple query, or the messages up to a Sync. */
final class Request {
    private static final String ENDS_WITH_AN_ANSWER = "QSF";
    private static final String ASKS_NOTHING_BEFORE_MORE = "PBDEC";

    private final List<WireMessage> messages = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();
    private boolean executes;

    private Request() {}

    /**
     * Reads the next one of a connection.
     *
     * @param statements what each named statement of the connection was parsed from; kept up to date
     */
    static Request read(DataInputStream in, Map<String, String> statements) throws IOException {
        Request request = new Request();
        WireMessage message;
        do {
            message = WireMessage.read(in);
            request.add(message, statements);
        } while (ASKS_NOTHING_BEFORE_MORE.indexOf(message.type()) >= 0);
        return request;
    }

    private void add(WireMessage message, Map<String, String> statements) {
        messages.add(message);
        switch (message.type()) {
            case 'Q' -> {
                executes = true;
                texts.add(message.bytes());
            }
            case 'E' -> executes = true;
            case 'P' -> {
                statements.put(message.word(0), message.word(1));
                texts.add(message.bytes());
            }
            case 'B' -> {
                texts.add(message.bytes());
                texts.add(statements.getOrDefault(message.word(1), ""));
            }
            default -> {
                // Neither runs anything nor names it.
            }
        }
    }

    /** Whether it runs something that has the text in it, and will be answered. One that only prepares runs nothing. */
    boolean runs(String text) {
        String bytes = WireMessage.bytesOf(text);
        return executes && isAnswered() && texts.stream().anyMatch(candidate -> candidate.contains(bytes));
    }

    /** Whether a ReadyForQuery will answer it. */
    boolean isAnswered() {
        return ENDS_WITH_AN_ANSWER.indexOf(messages.getLast().type()) >= 0;
    }

    void write(DataOutputStream out) throws IOException {
        for (WireMessage message : messages) {
            message.write(out);
        }
        out.flush();
    }
}
