package io.perdure.cli;

import picocli.CommandLine.Option;

/** The {@code --reason} that every command which changes runs from outside shares. */
final class ReasonOption {
    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "Why, for whoever reads the run's history. Without it: \"on the command line\".")
    private String text = "on the command line";

    String text() {
        return text;
    }
}
