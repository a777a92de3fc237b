package io.perdure.testkit.crash;

import io.perdure.sdk.retry.Backoff;
import io.perdure.sdk.workflow.WorkflowDefinition;
import java.io.IOException;
import java.time.Duration;

/** A made-up workflow: it runs over an engine and, to be compared with, straight through without one. */
sealed interface Program permits FlowProgram, CodeProgram {
    /** How often a step is tried. */
    int ATTEMPTS = 3;

    Backoff BACKOFF = Backoff.fixed(Duration.ofMillis(1));

    /** The workflow's name, its own among those that run together. */
    String name();

    /** What it comes to where nothing befalls it from outside. */
    Course course();

    /** Its workflow in a process. */
    WorkflowDefinition in(Effects process);

    /** Folds a number into another, so that whatever went into it shows. */
    static int mixed(int digest, int value) {
        return Integer.rotateLeft(digest * 31 + value, 7);
    }

    /** No further attempt would mend it. */
    final class Hopeless extends IOException {
        private static final long serialVersionUID = 1;

        Hopeless(String message) {
            super(message);
        }
    }

    /**
     * How a step goes wrong.
     *
     * @param failures so many attempts fail
     * @param hopeless whether the last of them is never mended
     */
    record Trouble(int failures, boolean hopeless) {
        static final Trouble NONE = new Trouble(0, false);

        void strike(String step, int attempt) throws IOException {
            if (attempt <= failures) {
                String message = step + " failed at attempt " + attempt;
                throw hopeless && attempt == failures ? new Hopeless(message) : new IOException(message);
            }
        }
    }
}
