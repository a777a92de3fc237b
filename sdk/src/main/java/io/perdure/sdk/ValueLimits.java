package io.perdure.sdk;

/**
 * How large values may be; part of {@link Limits}.
 *
 * @param inlineBytes largest input, output, signal payload or scratchpad value, as UTF-8 JSON
 * @param jsonDepth deepest nesting of objects and arrays; a number has at most 1,000 digits
 * @param matchNested most objects and arrays inside arrays in what a match looks for
 * @param errorCharacters longest recorded error text; longer ones are cut
 * @param errorCauses most causes recorded with an error; deeper ones are left out
 * @param stackTraceBytes largest stack trace recorded with an error, in UTF-8; frames are left out of longer ones
 * @param repeatedStackTraceBytes largest stack trace recorded with a further failed attempt of a step that is tried again
 * @param fullStackTraces failed attempts of a step that are recorded with up to {@code stackTraceBytes} each though the step is tried again
 * @param runFullStackTraceBytes stack traces of a run's failed attempts, in UTF-8, after which further ones have up to
 *     {@code repeatedStackTraceBytes} each
 * @param runStackTraceBytes stack traces of a run's failed attempts, in UTF-8, after which further attempts are recorded without one;
 *     the last attempt of a step, which fails the run, always has up to {@code stackTraceBytes}
 */
public record ValueLimits(
        int inlineBytes,
        int jsonDepth,
        int matchNested,
        int errorCharacters,
        int errorCauses,
        int stackTraceBytes,
        int repeatedStackTraceBytes,
        int fullStackTraces,
        int runFullStackTraceBytes,
        int runStackTraceBytes) {}
