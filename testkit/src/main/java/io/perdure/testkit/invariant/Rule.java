package io.perdure.testkit.invariant;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What the checkers have in common: a number, a text, and a list that violations are put on. */
abstract class Rule implements Invariant {
    private final int number;
    private final String text;

    Rule(int number, String text) {
        this.number = number;
        this.text = text;
    }

    @Override
    public final int number() {
        return number;
    }

    @Override
    public final String text() {
        return text;
    }

    @Override
    public final List<Violation> check(Trace trace) {
        Findings findings = new Findings();
        look(trace, findings);
        return findings.sorted();
    }

    abstract void look(Trace trace, Findings findings);

    /** Collects what one look at one trace finds. */
    final class Findings {
        private final List<Violation> found = new ArrayList<>();

        private Findings() {}

        void add(Object subject, int position, String seen) {
            found.add(new Violation(name(), number, subject.toString(), seen, position));
        }

        private List<Violation> sorted() {
            return found.stream()
                    .sorted(Comparator.comparingInt(Violation::position))
                    .toList();
        }
    }
}
