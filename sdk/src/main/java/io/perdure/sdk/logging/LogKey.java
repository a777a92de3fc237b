package io.perdure.sdk.logging;

/** What the context of a log line, SLF4J's MDC, says whose line it is. */
public enum LogKey {
    /** The run that the thread works on, or that a request is about. */
    RUN("run"),
    /** The workflow of that run. */
    WORKFLOW("workflow"),
    /** The step that is under way. */
    STEP("step"),
    /** Which try of the step or delivery of the message it is, from 1. */
    ATTEMPT("attempt"),
    /** The queue of the message that is handled, or that a request is about. */
    QUEUE("queue"),
    /** The message that is handled; its word is not that of what a line says. */
    MESSAGE("messageId", "perdure.message"),
    /** Whose request a server answers. */
    TENANT("tenant"),
    /** What the caller calls that request. */
    REQUEST("requestId");

    private final String word;
    private final String key;

    LogKey(String word) {
        this(word, "perdure." + word);
    }

    LogKey(String word, String key) {
        this.word = word;
        this.key = key;
    }

    /** Its name in a log that has nothing but Perdure's. */
    public String word() {
        return word;
    }

    /** Its name in the MDC, where others have theirs, too. */
    public String key() {
        return key;
    }
}
