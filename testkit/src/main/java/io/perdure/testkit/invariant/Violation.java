package io.perdure.testkit.invariant;

import java.util.Locale;

/**
 * One way in which a trace breaks a rule.
 *
 * @param invariant the name of the rule, which is the name of its file
 * @param number the rule's number in the list of invariants
 * @param subject the ids of what is concerned
 * @param seen what was seen, and what should have been
 * @param position where in the trace it shows
 */
public record Violation(String invariant, int number, String subject, String seen, int position) {
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s (%d) at %d, %s: %s", invariant, number, position, subject, seen);
    }
}
