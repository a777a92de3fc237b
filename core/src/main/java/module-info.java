/** The engine behind the port: storage, queues and workflows. */
// The testkit is built after this module, so the compiler cannot see yet whom the model is exported to.
// Micrometer and OpenTelemetry have no descriptors, only names that they keep.
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"})
module io.perdure.core {
    requires transitive io.perdure.sdk;
    requires static org.jspecify;
    // Users bring the registry that meters are in, and the tracer; both only if they want to.
    requires transitive io.opentelemetry.api;
    requires io.opentelemetry.context;
    requires transitive micrometer.core;

    // The API of the embedded engine.
    exports io.perdure.core;
    exports io.perdure.core.key;
    exports io.perdure.core.queue;
    exports io.perdure.core.request;
    exports io.perdure.core.telemetry;
    exports io.perdure.core.workflow;

    // The SPI that stores implement.
    exports io.perdure.core.store;
    exports io.perdure.core.store.rows;

    uses io.perdure.core.store.StoreProvider;

    // Not an API: the model that other stores' tests compare with.
    exports io.perdure.core.store.memory to
            io.perdure.testkit;
}
