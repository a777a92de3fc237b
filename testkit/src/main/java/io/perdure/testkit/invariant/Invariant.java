package io.perdure.testkit.invariant;

import java.util.List;

/** A rule that must never be broken, and the way to tell from a trace whether it was. Pure: the same trace, the same answer. */
public interface Invariant {
    /** The number of the rule in the list of invariants. */
    int number();

    /** The rule, in one sentence. */
    String text();

    /** The name of the rule, which is the name of its file. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** Everything in the trace that breaks the rule, in the order it shows; empty where it holds. */
    List<Violation> check(Trace trace);
}
