package io.perdure.benchmarks;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Between which numbers an option of a benchmark must lie. */
record OptionRange(long least, long most) {
    /** Throws what a user is told who asked for another number. */
    void require(CommandSpec spec, String option, long value) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(), option + " must lie between " + least + " and " + most + ".");
        }
    }
}
