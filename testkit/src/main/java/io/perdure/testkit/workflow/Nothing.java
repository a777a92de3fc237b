package io.perdure.testkit.workflow;

/** Values that the compiler would not let a step return where null is checked. */
final class Nothing {
    private Nothing() {}

    /** Nothing, where users whose code is not null-marked return it. */
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // What users may do.
    static <T> T nothing() {
        return null;
    }
}
