package io.perdure.sdk.wire;

/** What a caller of REST says of its request besides what it asks for. Those of workers are in {@link Terms}. */
public final class RestHeaders {
    /** What the caller calls the request, a UUID: the same each time it is sent. */
    public static final String REQUEST = "Perdure-Request";

    /** Whether an earlier try of the request may have arrived. */
    public static final String AGAIN = "Perdure-Again";

    /** What a consumer calls itself, a UUID: the same for all receives that go on where the one before stopped. */
    public static final String CONSUMER = "Perdure-Consumer";

    /** What is accepted by who wants to hear how far something has come, a line each time. */
    public static final String LINES = "application/x-ndjson";

    private RestHeaders() {}
}
