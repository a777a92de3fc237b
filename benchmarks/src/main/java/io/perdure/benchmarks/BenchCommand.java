package io.perdure.benchmarks;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code perdure bench}: what can be measured. */
@Command(
        name = "bench",
        header = "Measures Perdure on this machine.",
        description = {
            "Figures are medians of three runs on a fresh store each, after a warm-up, beside the same work done",
            "with one transaction for each commit. docs/performance.md says what they mean."
        },
        synopsisSubcommandLabel = "COMMAND")
final class BenchCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "Say what to measure: queue, consumer, queue-depth, queue-tables, workflows, run-tables, retention, lists, http, costs or profile");
    }
}
