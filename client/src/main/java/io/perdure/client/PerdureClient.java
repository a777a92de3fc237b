package io.perdure.client;

/** The engine at the other end of HTTP. */
public final class PerdureClient {
    private PerdureClient() {}
}
