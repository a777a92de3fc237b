package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Nearest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code perdure explain}: what an error code means and what to do about it. */
@Command(
        name = "explain",
        header = "Explains an error code, or lists them all.",
        description = "Every error that Perdure reports starts with a code such as PD-303.")
final class ExplainCommand implements Runnable {
    private static final Pattern CODE = Pattern.compile("(?i)(?:pd[-_ ]?)?([0-9]{1,6})");

    private final Terminal terminal;

    @Mixin
    private FormatOption format = new FormatOption();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "CODE",
            description = "The code, written PD-303, pd303 or 303. Without it: all codes.")
    private @Nullable String code;

    ExplainCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        if (code == null) {
            list();
        } else {
            explain(ErrorPage.of(find(code)));
        }
    }

    private void list() {
        List<Map<String, String>> all =
                Stream.of(ErrorCode.values()).map(ExplainCommand::json).toList();
        format.print(terminal, all, () -> {
            TextTable table = new TextTable("CODE", "TITLE", "WHAT TO DO");
            for (ErrorCode error : ErrorCode.values()) {
                table.row(error.code(), error.title(), error.remedy());
            }
            table.print(terminal);
        });
    }

    private static Map<String, String> json(ErrorCode error) {
        Map<String, String> shown = new LinkedHashMap<>();
        shown.put("code", error.code());
        shown.put("title", error.title());
        shown.put("remedy", error.remedy());
        return shown;
    }

    private void explain(ErrorPage page) {
        format.print(terminal, page, () -> {
            terminal.out().println(page.code() + "  " + page.title());
            paragraph("What happened", page.whatHappened());
            paragraph("Why", page.why());
            paragraph("What to do", page.whatToDo().isEmpty() ? page.remedy() : page.whatToDo());
        });
    }

    private void paragraph(String heading, String text) {
        if (!text.isEmpty()) {
            terminal.out().println();
            terminal.out().println(heading);
            text.lines()
                    .flatMap(line -> Wrap.lines(line, Math.min(terminal.columns(), 100) - 2).stream())
                    .forEach(line -> terminal.out().println(("  " + line).stripTrailing()));
        }
    }

    private static ErrorCode find(String asked) {
        Matcher matcher = CODE.matcher(asked.strip());
        if (!matcher.matches()) {
            throw new InvalidValueException(
                    ErrorCode.UNKNOWN_CODE, "\"" + asked + "\" is not an error code; codes look like PD-303.");
        }
        String digits = String.format(Locale.ROOT, "%03d", Integer.parseInt(matcher.group(1)));
        return withDigits(digits)
                .orElseThrow(() -> new InvalidValueException(
                        ErrorCode.UNKNOWN_CODE, "No error has the code \"" + asked + "\"" + suggestion(digits)));
    }

    private static String suggestion(String digits) {
        List<String> known =
                Stream.of(ErrorCode.values()).map(ExplainCommand::digitsOf).toList();
        return Nearest.to(digits, known)
                .flatMap(ExplainCommand::withDigits)
                .map(near -> "; did you mean " + near.code() + " (" + near.title() + ")?")
                .orElse(".");
    }

    private static Optional<ErrorCode> withDigits(String digits) {
        return Stream.of(ErrorCode.values())
                .filter(error -> digitsOf(error).equals(digits))
                .findFirst();
    }

    private static String digitsOf(ErrorCode error) {
        return error.code().substring("PD-".length());
    }
}
