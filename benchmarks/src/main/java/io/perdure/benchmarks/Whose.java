package io.perdure.benchmarks;

import java.util.Arrays;

/** Whose code a frame is of. */
enum Whose {
    PERDURE("Perdure", "#f0a04b", "io.perdure."),
    DRIVER("the database's driver", "#6fa8dc", "org.sqlite. org.postgresql. com.zaxxer."),
    JSON("JSON", "#93c47d", "tools.jackson. com.fasterxml."),
    JAVA("Java", "#c9c9c9", "java. jdk. sun. javax."),
    OTHERS("threads, and others", "#e6d690", "");

    private final String text;
    private final String colour;

    /** With what its names begin, one after the other; nothing where it is all that others are not. */
    private final String prefixes;

    Whose(String text, String colour, String prefixes) {
        this.text = text;
        this.colour = colour;
        this.prefixes = prefixes;
    }

    static Whose of(String frame) {
        return Arrays.stream(values())
                .filter(whose -> Arrays.stream(whose.prefixes.split(" ")).anyMatch(frame::startsWith))
                .findFirst()
                .orElse(OTHERS);
    }

    String text() {
        return text;
    }

    String colour() {
        return colour;
    }
}
