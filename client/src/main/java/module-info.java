/** The engine at the other end of HTTP: a client, and workers without a store. */
@org.jspecify.annotations.NullMarked
module io.perdure.client {
    requires transitive io.perdure.sdk;
    requires java.net.http;
    requires org.slf4j;

    exports io.perdure.client;

    // Whether logging is set up, before its context is filled.
    uses org.slf4j.spi.SLF4JServiceProvider;
}
