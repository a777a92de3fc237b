/** The engine over HTTP: REST, remote workers, keys. */
@org.jspecify.annotations.NullMarked
module io.perdure.server {
    requires io.helidon.common.configurable;
    requires io.helidon.common.pki;
    requires io.helidon.common.socket;
    requires io.helidon.common.tls;
    requires io.helidon.http;
    requires io.helidon.webserver;
    requires transitive io.perdure.core;

    exports io.perdure.server;
}
