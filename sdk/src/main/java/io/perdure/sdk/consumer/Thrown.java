package io.perdure.sdk.consumer;

/** Describes what a handler has thrown. The error's class may override its methods with code that throws anything, also a checked exception. */
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
        } catch (Throwable e) {
            return "its message threw " + e.getClass().getName();
        }
    }
}
