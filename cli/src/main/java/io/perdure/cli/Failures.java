package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Nearest;
import io.perdure.sdk.PerdureException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Collection;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns every failure into one line on stderr and an exit code. */
final class Failures implements IParameterExceptionHandler, IExecutionExceptionHandler {
    static final int FAILED = 1;
    static final int WRONG_USAGE = 2;
    private static final Pattern CONTROL_BUT_TAB = Pattern.compile("[\\p{Cc}&&[^\\t]]");

    private final Terminal terminal;
    private final RootCommand root;

    Failures(Terminal terminal, RootCommand root) {
        this.terminal = terminal;
        this.root = root;
    }

    @Override
    public int handleParseException(ParameterException problem, String[] args) {
        String command = problem.getCommandLine().getCommandSpec().qualifiedName();
        String line = ErrorCode.USAGE.code() + " " + sentence(problem) + suggestion(problem) + " Run \"" + command
                + " --help\" for what it takes.";
        report(line, problem);
        return WRONG_USAGE;
    }

    @Override
    public int handleExecutionException(Exception problem, CommandLine command, ParseResult parsed) {
        if (problem instanceof PerdureException coded) {
            report(String.valueOf(coded.getMessage()), coded);
            return isBadValue(coded) ? WRONG_USAGE : FAILED;
        }
        if (problem instanceof UnsentLinesException unsent) {
            report(String.valueOf(unsent.getMessage()), unsent);
            return unsent.exitCode();
        }
        report(
                ErrorCode.FAULT.code() + " The command failed in a way it should not: " + problem + ". "
                        + ErrorCode.FAULT.remedy(),
                problem);
        return FAILED;
    }

    /** A URL that names no store is refused before anything is opened. */
    private static boolean isBadValue(PerdureException problem) {
        return problem instanceof InvalidValueException || problem.code() == ErrorCode.STORE_URL;
    }

    private void report(String line, Exception problem) {
        terminal.err().println(line(line));
        if (root.stackTraces()) {
            StringWriter trace = new StringWriter();
            problem.printStackTrace(new PrintWriter(trace, true));
            trace.toString().lines().map(Failures::harmless).forEach(terminal.err()::println);
        }
    }

    /** What was told in several lines, in one. */
    static String line(String text) {
        return harmless(text.replaceAll("\\s*(?:\\R|\\t)\\s*", " "));
    }

    /** Messages quote what was typed, and control characters in it could move the cursor or recolour the terminal. */
    static String harmless(String line) {
        return CONTROL_BUT_TAB.matcher(line).replaceAll("\uFFFD");
    }

    private static String sentence(ParameterException problem) {
        if (problem instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            String first = unmatched.getUnmatched().getFirst();
            return (first.startsWith("-") ? "Unknown option \"" : "Unknown command or argument \"") + first + "\".";
        }
        // Of a value that is not NAME=VALUE the parser says "option option".
        String message = String.valueOf(problem.getMessage()).strip().replace("option option ", "option ");
        return message.endsWith(".") ? message : message + ".";
    }

    private static String suggestion(ParameterException problem) {
        if (!(problem instanceof UnmatchedArgumentException unmatched)
                || unmatched.getUnmatched().isEmpty()) {
            return "";
        }
        String asked = unmatched.getUnmatched().getFirst();
        CommandLine command = problem.getCommandLine();
        Collection<String> known = asked.startsWith("-")
                ? command.getCommandSpec().optionsMap().keySet()
                : command.getSubcommands().keySet();
        return Nearest.to(asked, known)
                .map(near -> " Did you mean \"" + near + "\"?")
                .orElse("");
    }
}
