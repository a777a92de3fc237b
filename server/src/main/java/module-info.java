/** The engine over HTTP: REST, remote workers, keys, metrics and traces. */
// Micrometer and OpenTelemetry have no descriptors, only names that they keep.
@SuppressWarnings("requires-automatic")
@org.jspecify.annotations.NullMarked
module io.perdure.server {
    requires io.helidon.common.configurable;
    requires io.helidon.common.pki;
    requires io.helidon.common.socket;
    requires io.helidon.common.tls;
    requires io.helidon.http;
    requires io.helidon.webserver;
    requires io.opentelemetry.context;
    requires io.opentelemetry.exporter.otlp;
    requires io.opentelemetry.sdk.common;
    requires io.opentelemetry.sdk.trace;
    requires transitive io.perdure.core;
    requires jdk.management;
    requires micrometer.registry.prometheus;

    exports io.perdure.server;
}
