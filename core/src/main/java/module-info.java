/** The engine behind the port: storage, queues and workflows. */
module io.perdure.core {
    requires transitive io.perdure.sdk;
    requires static org.jspecify;

    exports io.perdure.core.store;
    exports io.perdure.core.store.memory;
}
