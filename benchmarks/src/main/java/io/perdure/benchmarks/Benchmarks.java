package io.perdure.benchmarks;

import io.perdure.cli.MoreCommands;
import io.perdure.cli.Terminal;
import java.util.List;
import picocli.CommandLine;

/** Adds {@code perdure bench} to the command line. */
public final class Benchmarks implements MoreCommands {
    /** For the service loader. */
    public Benchmarks() {}

    @Override
    public List<Object> commands(Terminal terminal) {
        return List.of(new CommandLine(new BenchCommand())
                .addSubcommand(new QueueBenchCommand(terminal))
                .addSubcommand(new ConsumerBenchCommand(terminal))
                .addSubcommand(new QueueDepthCommand(terminal))
                .addSubcommand(new QueueTablesCommand(terminal))
                .addSubcommand(new RunTablesCommand(terminal))
                .addSubcommand(new WorkflowsBenchCommand(terminal))
                .addSubcommand(new RetentionBenchCommand(terminal))
                .addSubcommand(new RunListsBenchCommand(terminal))
                .addSubcommand(new HttpBenchCommand(terminal))
                .addSubcommand(new CostsBenchCommand(terminal))
                .addSubcommand(new ProfileBenchCommand(terminal))
                .addSubcommand(new FleetMemberCommand(terminal)));
    }
}
