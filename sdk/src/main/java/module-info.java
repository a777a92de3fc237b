/** What users write, what travels, and what works on runs and messages wherever the engine is. */
@org.jspecify.annotations.NullMarked
module io.perdure.sdk {
    requires transitive org.jspecify;
    requires transitive tools.jackson.core;
    requires transitive tools.jackson.databind;
    requires org.slf4j;

    exports io.perdure.sdk;
    exports io.perdure.sdk.consumer;
    exports io.perdure.sdk.engine;
    exports io.perdure.sdk.environment;
    exports io.perdure.sdk.history;
    exports io.perdure.sdk.id;
    exports io.perdure.sdk.json;
    exports io.perdure.sdk.key;
    exports io.perdure.sdk.logging;
    exports io.perdure.sdk.queue;
    exports io.perdure.sdk.retry;
    exports io.perdure.sdk.run;
    exports io.perdure.sdk.trace;
    exports io.perdure.sdk.wire;
    exports io.perdure.sdk.worker;
    exports io.perdure.sdk.workflow;

    // Whether logging is set up, before anything is logged.
    uses org.slf4j.spi.SLF4JServiceProvider;
}
