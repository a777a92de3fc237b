package io.perdure.cli;

import io.perdure.sdk.ErrorCode;

/**
 * How far a send of lines has come, in numbers of lines from 1. Empty lines count, so that the numbers are those of an editor.
 *
 * @param done the last line that was sent; 0 before the first
 * @param first the first line that is on its way; 0 where none is
 * @param last the last line that is on its way
 * @param whole whether there are no lines after the last
 */
record LineSpan(long done, long first, long last, boolean whole) {
    static final LineSpan START = new LineSpan(0, 0, 0, false);

    /** With one more line on its way. */
    LineSpan with(long line) {
        return new LineSpan(done, first == 0 ? line : first, line, whole);
    }

    /** With all lines read. */
    LineSpan atEnd() {
        return new LineSpan(done, first, last, true);
    }

    /** With what was on its way sent. */
    LineSpan sent() {
        return new LineSpan(last, 0, 0, whole);
    }

    /** What became of the lines when the send of those on their way failed with this code. */
    String sentences(ErrorCode code) {
        String before = done == 0 ? "" : range(1, done) + were(1, done) + " sent; ";
        String failed = code == ErrorCode.OUTCOME_UNKNOWN
                ? "nobody knows about " + range(first, last)
                : range(first, last) + were(first, last) + (done == 0 ? " not sent" : " not");
        String after = whole ? "." : ". Nothing after that was sent.";
        String text = before + failed + after;
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    private static String range(long from, long to) {
        return from == to ? "line " + from : "lines " + from + " to " + to;
    }

    private static String were(long from, long to) {
        return from == to ? " was" : " were";
    }
}
