package io.perdure.sdk.logging;

/** Where it is noted, for the thread that calls, what its log lines say of themselves. SLF4J calls that its MDC, and is not for everybody to know. */
public interface LineContext {
    /** From now on the lines of this thread say so, until it is removed. */
    void put(LogKey key, String value);

    /** And from now on they do not. */
    void remove(LogKey... keys);
}
