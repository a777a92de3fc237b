package io.perdure.testkit.simulation;

import io.perdure.testkit.invariant.Fact;
import io.perdure.testkit.invariant.Invariants;
import io.perdure.testkit.invariant.Noted;
import io.perdure.testkit.invariant.Trace;
import io.perdure.testkit.invariant.Violation;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What one simulation came to.
 *
 * @param enabled the faults that the seed turned on
 * @param occurred those of them that happened
 */
public record SimulationReport(long seed, Set<Fault> enabled, Set<Fault> occurred, Trace trace) {
    /** How much of the end of a trace is worth printing. */
    private static final int TAIL = 60;

    public SimulationReport {
        // In the order they are declared in, so that a report reads the same in every process.
        enabled = Collections.unmodifiableSet(new TreeSet<>(enabled));
        occurred = Collections.unmodifiableSet(new TreeSet<>(occurred));
    }

    /** All invariants that the trace breaks. */
    public List<Violation> violations() {
        return Invariants.check(trace);
    }

    /** What a person needs to go on from: what broke, how to see it again, and what was seen up to there. */
    public String describe(List<Violation> violations) {
        int shown = violations.stream()
                .mapToInt(Violation::position)
                .max()
                .orElse(trace.all().size());
        List<Noted<? extends Fact>> facts = trace.all()
                .subList(Math.max(0, shown - TAIL), Math.min(trace.all().size(), shown + 1));
        return String.format(
                Locale.ROOT,
                """
                Seed %d broke %d rules, with the faults %s:
                %s
                To see it again: mvn -pl sdk,core,testkit -Dtest='io.perdure.testkit.simulation.*Test' \
                -Dsurefire.failIfNoSpecifiedTests=false -Dperdure.seed=%d test
                The last %d of %d facts up to there:
                %s
                """,
                seed,
                violations.size(),
                enabled,
                lines(violations),
                seed,
                facts.size(),
                trace.all().size(),
                lines(facts));
    }

    private static String lines(List<?> items) {
        return items.stream().map(Object::toString).collect(Collectors.joining("\n"));
    }
}
