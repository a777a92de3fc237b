/** What stores are tested with: the contract, the model they are compared with, the invariants and the simulation. */
module io.perdure.testkit {
    requires transitive io.perdure.core;
    requires transitive org.junit.jupiter.api;
    requires org.junit.jupiter.params;
    requires org.assertj.core;
    requires static org.jspecify;

    exports io.perdure.testkit;
    exports io.perdure.testkit.contract;
    exports io.perdure.testkit.crash;
    exports io.perdure.testkit.invariant;
    exports io.perdure.testkit.property;
    exports io.perdure.testkit.queue;
    exports io.perdure.testkit.simulation;
    exports io.perdure.testkit.workflow;
}
