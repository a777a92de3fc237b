package io.perdure.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Writes the reference of the command line from what the commands say of themselves. */
final class CommandsPage {
    /** An option that so many commands have is told of once. */
    private static final int MANY = 8;

    private static final Set<String> LEFT_OUT = Set.of("greet", "help");

    private final StringBuilder page = new StringBuilder();
    private final Map<String, Integer> uses = new HashMap<>();
    private final Set<String> shared = new LinkedHashSet<>();

    private CommandsPage() {}

    static String of(CommandLine root) {
        CommandsPage page = new CommandsPage();
        page.count(root);
        page.write(root);
        return page.page.toString();
    }

    private void count(CommandLine command) {
        options(command.getCommandSpec()).forEach(option -> uses.merge(row(option), 1, Integer::sum));
        subcommands(command).forEach(this::count);
    }

    private void write(CommandLine root) {
        line("""
                # The command line

                What `./perdure` can do. This page is written from the commands themselves, which `--help` shows, too; a test compares it.
                `perdure bench` is told of in [performance](../performance.md).
                """);
        line("## Options of many commands\n");
        line("Each command takes `--help` and `--stacktrace`, and of the others those that it names.\n");
        line("| option | what it does |\n|---|---|");
        options(root.getCommandSpec()).forEach(option -> shared.add(row(option)));
        collectShared(root);
        shared.forEach(this::line);
        for (CommandLine command : subcommands(root)) {
            line("\n## " + command.getCommandName() + "\n");
            describe(command);
            for (CommandLine below : subcommands(command)) {
                line("\n### " + command.getCommandName() + " " + below.getCommandName() + "\n");
                describe(below);
            }
        }
        line("\n## Exit codes\n");
        line("| code | what it means |\n|---|---|");
        root.getCommandSpec()
                .usageMessage()
                .exitCodeList()
                .forEach((code, meaning) -> line("| " + code + " | " + meaning + " |"));
        line("\n## Environment\n\n```");
        Arrays.stream(root.getCommandSpec().usageMessage().footer())
                .dropWhile(line -> !line.equals("Environment:"))
                .skip(1)
                .takeWhile(line -> !line.isEmpty())
                .forEach(line -> line(line.substring(2)));
        line("```");
    }

    private void collectShared(CommandLine command) {
        for (OptionSpec option : options(command.getCommandSpec())) {
            if (isShared(option)) {
                shared.add(row(option));
            }
        }
        subcommands(command).forEach(this::collectShared);
    }

    private void describe(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        line(words(spec.usageMessage().header()));
        String text = words(spec.usageMessage().description());
        if (!text.isEmpty()) {
            line("\n" + text);
        }
        if (!subcommands(command).isEmpty()) {
            return;
        }
        line("\n`" + synopsis(spec) + "`");
        List<String> rows = new ArrayList<>();
        spec.positionalParameters().stream()
                .filter(parameter -> !parameter.hidden())
                .map(CommandsPage::row)
                .forEach(rows::add);
        options(spec).stream()
                .filter(option -> !isShared(option))
                .map(CommandsPage::row)
                .forEach(rows::add);
        if (!rows.isEmpty()) {
            line("\n| | what it does |\n|---|---|");
            rows.forEach(this::line);
        }
        String also = options(spec).stream()
                .filter(this::isShared)
                .map(option -> "`" + option.longestName() + "`")
                .collect(Collectors.joining(", "));
        if (!also.isEmpty()) {
            line("\nAlso: " + also + ".");
        }
    }

    private static String synopsis(CommandSpec spec) {
        return spec.qualifiedName()
                + spec.positionalParameters().stream()
                        .filter(parameter -> !parameter.hidden())
                        .map(parameter -> " " + label(parameter))
                        .collect(Collectors.joining());
    }

    private static String label(PositionalParamSpec parameter) {
        String name = parameter.paramLabel() + (parameter.arity().max() > 1 ? "..." : "");
        return parameter.required() ? name : "[" + name + "]";
    }

    private boolean isShared(OptionSpec option) {
        return uses.getOrDefault(row(option), 0) >= MANY;
    }

    private static String row(ArgSpec argument) {
        String name = argument instanceof OptionSpec option
                ? String.join("`, `", option.names()) + (option.arity().max() == 0 ? "" : " " + option.paramLabel())
                : argument.paramLabel();
        String text = words(argument.description()).replace("|", "\\|");
        return "| `" + name + "` | " + (isRequired(argument) ? "Required. " : "") + text + " |";
    }

    /** Of a group one may be asked for, and none has to be given. */
    private static boolean isRequired(ArgSpec argument) {
        return argument.required() && argument.isOption() && argument.group() == null;
    }

    private static List<OptionSpec> options(CommandSpec spec) {
        return spec.options().stream()
                .filter(option -> !option.hidden() && !option.inherited())
                .toList();
    }

    private static List<CommandLine> subcommands(CommandLine command) {
        return command.getSubcommands().values().stream()
                .filter(below -> !below.getCommandSpec().usageMessage().hidden())
                .filter(below -> !LEFT_OUT.contains(below.getCommandName()))
                .toList();
    }

    private static String words(String[] lines) {
        return String.join(" ", lines).replaceAll("\\s+", " ").strip();
    }

    private void line(String text) {
        page.append(text).append('\n');
    }
}
