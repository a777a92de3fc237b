package io.perdure.core.store;

import io.perdure.sdk.PerdureException;

/**
 * What an examination has found out about one thing.
 *
 * @param about what was looked at, in a word or two
 * @param found how it is
 * @param advice what to do; empty where nothing is to be done
 */
public record Finding(Level level, String about, String found, String advice) {
    /** How much it matters. */
    public enum Level {
        /** As it should be. */
        OK,
        /** It works, but not as well, or not for long. */
        WARNING,
        /** It does not work, or what was acknowledged can be lost. */
        PROBLEM
    }

    public Finding {
        if (about.isBlank() || found.isBlank() || (level != Level.OK && advice.isBlank())) {
            throw new IllegalArgumentException("A finding says what it is about, how that is, and what to do.");
        }
    }

    /** Nothing is to be done. */
    public static Finding ok(String about, String found) {
        return new Finding(Level.OK, about, found, "");
    }

    /** Something is to be looked at. */
    public static Finding warning(String about, String found, String advice) {
        return new Finding(Level.WARNING, about, found, advice);
    }

    /** Something is to be done. */
    public static Finding problem(String about, String found, String advice) {
        return new Finding(Level.PROBLEM, about, found, advice);
    }

    /** The same for an error, which says what to do. */
    public static Finding problem(String about, PerdureException error) {
        return problem(
                about, error.code().code() + " " + error.what(), error.code().remedy());
    }
}
