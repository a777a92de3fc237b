package io.perdure.testkit.invariant;

import java.util.List;

/** All rules that a trace can be held to, by their number. */
public final class Invariants {
    private static final List<Invariant> ALL = List.of(
            new AckDurability(),
            new UnknownIsNotFailed(),
            new OneTerminalState(),
            new Liveness(),
            new OneActiveRun(),
            new OneRunPerKey(),
            new DenseHistory(),
            new CompletedStepNeverReruns(),
            new AttemptsWithinPolicy(),
            new Fencing(),
            new OneMessagePerRun(),
            new MessageConservation(),
            new FifoOrder(),
            new NeverBeforeDue(),
            new DeadLetterAfterLimit(),
            new TimersNeverEarly(),
            new SignalOnce(),
            new NoStepAfterCancel(),
            new AtomicTransition(),
            new TenantIsolation(),
            new RetentionRespected());

    private Invariants() {}

    /** Every rule, in the order of their numbers. */
    public static List<Invariant> all() {
        return ALL;
    }

    /** Everything in the trace that breaks any of the rules. */
    public static List<Violation> check(Trace trace) {
        return ALL.stream()
                .flatMap(invariant -> invariant.check(trace).stream())
                .toList();
    }
}
