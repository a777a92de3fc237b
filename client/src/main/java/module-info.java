/** The engine at the other end of HTTP: a client, and workers without a store. */
@org.jspecify.annotations.NullMarked
module io.perdure.client {
    requires transitive io.perdure.sdk;
    requires java.net.http;

    exports io.perdure.client;
}
