package io.perdure.sdk.consumer;

/** What a handler has thrown, in words. It is code of others, so that even its message may throw. */
final class Thrown {
    private Thrown() {}

    /** Its type and message. */
    static String text(Throwable thrown) {
        String message = message(thrown);
        String type = thrown.getClass().getName();
        return message.isEmpty() ? type : type + ": " + message;
    }

    /** Its message; empty where it has none. */
    static String message(Throwable thrown) {
        try {
            String message = thrown.getMessage();
            return message == null ? "" : message;
        } catch (RuntimeException | Error e) {
            return "its message threw " + e.getClass().getName();
        }
    }
}
