package io.perdure.cli.demo;

import java.time.Instant;
import java.util.Locale;

/**
 * One thing that a step did.
 *
 * @param at when, by the clock of the process
 * @param pid the process that did it
 * @param key the step's idempotency key
 */
record WitnessLine(Instant at, long pid, String step, int attempt, What what, String key) {
    private static final int WORDS = 6;

    /** What a step can do. */
    enum What {
        /** An attempt began. */
        BEGAN,
        /** The attempt fails. */
        FAILED,
        /** The effect on the world outside: this is what must happen once. */
        DID,
        /** The effect was there already, under the same key; it is not made again. */
        FOUND,
        /** The attempt is about to return. */
        DONE
    }

    static WitnessLine parse(String line) {
        String[] words = line.split(" ", -1);
        if (words.length != WORDS) {
            throw new IllegalArgumentException("not a line of a witness: " + line);
        }
        return new WitnessLine(
                Instant.parse(words[0]),
                Long.parseLong(words[1]),
                words[2],
                Integer.parseInt(words[3]),
                What.valueOf(words[4].toUpperCase(Locale.ROOT)),
                words[5]);
    }

    boolean is(String otherStep, What otherWhat) {
        return step.equals(otherStep) && what == otherWhat;
    }

    /** The run that the step belongs to: what the key has before its step. */
    String run() {
        int end = key.indexOf('/');
        return end < 0 ? key : key.substring(0, end);
    }

    @Override
    public String toString() {
        return String.join(
                " ",
                at.toString(),
                Long.toString(pid),
                step,
                Integer.toString(attempt),
                what.name().toLowerCase(Locale.ROOT),
                key);
    }
}
