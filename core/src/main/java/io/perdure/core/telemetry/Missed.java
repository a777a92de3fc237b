package io.perdure.core.telemetry;

import java.util.Locale;

/** What those who watch were not told, by where it got lost. */
enum Missed {
    /** What happened to a run that had to be looked up first. */
    LOOKUP("Figures and traces lack what happened to a run."),
    METER("A figure lacks something."),
    SPAN("A trace lacks a span.");

    private final String word = name().toLowerCase(Locale.ROOT);
    private final String line;

    Missed(String line) {
        this.line = line;
    }

    /** What it is called in a label. */
    String word() {
        return word;
    }

    /** What a log says of it. */
    String line() {
        return line;
    }
}
