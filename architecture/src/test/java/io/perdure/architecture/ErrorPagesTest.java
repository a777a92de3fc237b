package io.perdure.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every error code has a page that says what happened, why, and what to do. */
class ErrorPagesTest {
    private static final String FOLDER = "docs/errors/";
    private static final List<String> SECTIONS = List.of("## What happened", "## Why", "## What to do");

    @ParameterizedTest
    @EnumSource
    void everyCodeHasItsPage(ErrorCode error) {
        assertThat(problems(error, Checkout.file(FOLDER + error.code() + ".md").text()))
                .isEmpty();
    }

    @Test
    void noPageIsLeftWithoutItsCode() {
        List<String> expected = Stream.of(ErrorCode.values())
                .map(error -> FOLDER + error.code() + ".md")
                .toList();

        assertThat(Checkout.files().stream().map(TextFile::path).filter(path -> path.startsWith(FOLDER + "PD")))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void codesAreUnique() {
        assertThat(Stream.of(ErrorCode.values()).map(ErrorCode::code))
                .isNotEmpty()
                .doesNotHaveDuplicates()
                .allMatch(code -> code.matches("PD-[0-9]{3}"));
    }

    @Test
    void plantedPagesAreRejected() {
        ErrorCode error = ErrorCode.USAGE;
        String title = "# " + error.code() + " " + error.title() + "\n";

        assertThat(problems(error, "# " + error.code() + " Something else\n"))
                .contains("the first line is not its title");
        assertThat(problems(error, title + "## What happened\ntext\n## Why\n\n## What to do\ntext\n"))
                .containsExactly("\"## Why\" is missing or empty");
        assertThat(problems(error, title + "## What happened\na\n## Why\nb\n## What to do\nc\n"))
                .isEmpty();
    }

    private static List<String> problems(ErrorCode error, String page) {
        List<String> problems = new ArrayList<>();
        if (!page.startsWith("# " + error.code() + " " + error.title() + "\n")) {
            problems.add("the first line is not its title");
        }
        for (String section : SECTIONS) {
            int start = page.indexOf("\n" + section + "\n");
            String rest = start < 0 ? "" : page.substring(start + section.length() + 2);
            int end = rest.indexOf("\n## ");
            if ((end < 0 ? rest : rest.substring(0, end)).isBlank()) {
                problems.add("\"" + section + "\" is missing or empty");
            }
        }
        return problems;
    }
}
