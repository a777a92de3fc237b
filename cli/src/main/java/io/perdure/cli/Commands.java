package io.perdure.cli;

import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.key.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.RunLast;

/** The tree of commands, with how it answers mistakes. */
final class Commands {
    private static final int HELP_COLUMNS = 100;

    private Commands() {}

    /** Builds the tree over a terminal; {@code execute} answers with the exit code and never throws. */
    static CommandLine over(Terminal terminal) {
        RootCommand root = new RootCommand(terminal);
        Failures failures = new Failures(terminal, root);
        CommandLine commands = new CommandLine(root)
                .addSubcommand(new DemoCommand(terminal))
                .addSubcommand(new DevCommand(terminal, root))
                .addSubcommand(new ServerCommand(terminal, root))
                .addSubcommand(queue(terminal))
                .addSubcommand(dlq(terminal))
                .addSubcommand(runs(terminal))
                .addSubcommand(workers(terminal))
                .addSubcommand(key(terminal))
                .addSubcommand(new MigrateCommand(terminal))
                .addSubcommand(new DoctorCommand(terminal))
                .addSubcommand(new VersionCommand(terminal))
                .addSubcommand(new LimitsCommand(terminal))
                .addSubcommand(new ExplainCommand(terminal))
                .addSubcommand(new HelpCommand(terminal));
        ServiceLoader.load(MoreCommands.class)
                .forEach(more -> more.commands(terminal).forEach(commands::addSubcommand));
        commands
                // An argument is data: one that starts with @ must not make the parser open a file.
                .setExpandAtFiles(false)
                .setOut(terminal.out())
                .setErr(terminal.err())
                .setUsageHelpWidth(Math.max(60, Math.min(terminal.columns(), HELP_COLUMNS)))
                .registerConverter(FormatOption.Format.class, FormatOption.Format::parse)
                .registerConverter(Duration.class, DurationText::parse)
                .registerConverter(Instant.class, TimeText::parse)
                .registerConverter(RunStatus.class, FilterOption::status)
                .registerConverter(Role.class, KeyText::role)
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures)
                .setExecutionStrategy(parsed -> {
                    // A server decides itself, once it knows its settings.
                    if (root.stackTraces()) {
                        LibraryLog.showAll();
                    } else {
                        LibraryLog.drop();
                    }
                    return new RunLast().execute(parsed);
                });
        commands.getSubcommands().values().forEach(Commands::spread);
        return commands;
    }

    private static CommandLine queue(Terminal terminal) {
        return new CommandLine(new QueueCommand(terminal))
                .addSubcommand(new QueueCreateCommand(terminal))
                .addSubcommand(new QueueUpdateCommand(terminal))
                .addSubcommand(new QueueListCommand(terminal))
                .addSubcommand(new QueueShowCommand(terminal))
                .addSubcommand(new QueueSendCommand(terminal))
                .addSubcommand(new QueuePeekCommand(terminal))
                .addSubcommand(new QueueReceiveCommand(terminal))
                .addSubcommand(new QueueAckCommand(terminal))
                .addSubcommand(new QueueRetryCommand(terminal))
                .addSubcommand(new QueueRejectCommand(terminal))
                .addSubcommand(new QueueExtendCommand(terminal))
                .addSubcommand(new QueueReleaseCommand(terminal))
                .addSubcommand(new QueuePurgeCommand(terminal))
                .addSubcommand(new QueueDeleteCommand(terminal));
    }

    private static CommandLine dlq(Terminal terminal) {
        return new CommandLine(new DlqCommand(terminal))
                .addSubcommand(new DlqListCommand(terminal))
                .addSubcommand(new DlqShowCommand(terminal))
                .addSubcommand(new DlqRedriveCommand(terminal))
                .addSubcommand(new DlqDiscardCommand(terminal));
    }

    private static CommandLine runs(Terminal terminal) {
        return new CommandLine(new RunsCommand(terminal))
                .addSubcommand(new RunsStartCommand(terminal))
                .addSubcommand(new RunsListCommand(terminal))
                .addSubcommand(new RunsCountCommand(terminal))
                .addSubcommand(new RunsGetCommand(terminal))
                .addSubcommand(new RunsHistoryCommand(terminal))
                .addSubcommand(new RunsWatchCommand(terminal))
                .addSubcommand(new RunsSignalCommand(terminal))
                .addSubcommand(new RunsCancelCommand(terminal))
                .addSubcommand(new RunsResumeCommand(terminal))
                .addSubcommand(new RunsRedriveCommand(terminal))
                .addSubcommand(new RunsCheckCommand(terminal))
                .addSubcommand(new RunsMoveCommand(terminal))
                .addSubcommand(new RunsRecoverCommand(terminal));
    }

    private static CommandLine workers(Terminal terminal) {
        return new CommandLine(new WorkersCommand(terminal)).addSubcommand(new WorkersListCommand(terminal));
    }

    private static CommandLine key(Terminal terminal) {
        return new CommandLine(new KeyCommand(terminal))
                .addSubcommand(new KeyCreateCommand(terminal))
                .addSubcommand(new KeyListCommand(terminal))
                .addSubcommand(new KeyRevokeCommand(terminal));
    }

    /** Room between the parts of a command's help, as in that of the root. */
    private static void spread(CommandLine command) {
        command.getSubcommands().values().forEach(Commands::spread);
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        usage.synopsisHeading("%nUsage: ")
                .descriptionHeading("%n")
                .description(paragraphs(usage.description()))
                .parameterListHeading("%nParameters:%n")
                .optionListHeading("%nOptions:%n")
                .commandListHeading("%nCommands:%n")
                .footerHeading(usage.footer().length == 0 ? "" : "%n");
    }

    /** Joins lines that follow each other: they are to be broken where the terminal ends, not where the source does. */
    private static String[] paragraphs(String... lines) {
        return lines.length == 0
                ? lines
                : String.join("\n", lines).replaceAll("(?<!\n)\n(?!\n)", " ").split("\n", -1);
    }
}
