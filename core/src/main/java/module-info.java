/** The engine behind the port: storage, queues and workflows. */
module io.perdure.core {
    requires transitive io.perdure.sdk;
    requires static org.jspecify;

    // The SPI that stores implement.
    exports io.perdure.core.store;
    // Not an API to build on: exported because it is the model that other stores' tests compare with.
    exports io.perdure.core.store.memory;
}
