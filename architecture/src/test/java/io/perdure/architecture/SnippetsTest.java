package io.perdure.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Java in the documentation compiles, because it is a region of a file that does. */
class SnippetsTest {
    @Test
    void everySnippetIsARegionOfAnExample() {
        assertThat(pages()).isNotEmpty();
        assertThat(pages().flatMap(page -> problems(page, Checkout::file))).isEmpty();
    }

    @Test
    void theReadmeShowsCode() {
        assertThat(Snippet.in(Checkout.file("README.md"))).isNotEmpty();
    }

    @Test
    void plantedSnippetsAreRejected() {
        TextFile example = new TextFile("examples/A.java", """
                class A {
                    // region start
                    void a() {
                        b();
                    }
                    // endregion
                }
                """);
        String code = "```java\nvoid a() {\n    b();\n}\n```\n";

        assertThat(problems(page("<!-- from examples/A.java#start -->\n" + code), _ -> example))
                .isEmpty();
        assertThat(problems(page("<!-- from examples/A.java#start -->\n\n" + code), _ -> example))
                .isEmpty();
        assertThat(problems(page(code), _ -> example)).as("no origin").hasSize(1);
        assertThat(problems(page("<!-- from examples/A.java#start -->\nText.\n" + code), _ -> example))
                .as("origin of something else")
                .hasSize(1);
        assertThat(problems(page("<!-- from examples/A.java#start -->\n```java\nvoid a() {}\n```\n"), _ -> example))
                .as("differs")
                .hasSize(1);
    }

    private static TextFile page(String text) {
        return new TextFile("docs/page.md", text);
    }

    /**
     * Decisions are left out: they record what was considered at the time, also what was never built. So is the start page, whose code
     * {@link StartPageTest} compiles and runs.
     */
    private static Stream<TextFile> pages() {
        return Checkout.files().stream()
                .filter(file -> file.path().equals("README.md")
                        || (file.path().startsWith("docs/") && file.path().endsWith(".md")))
                .filter(file -> !file.path().startsWith("docs/decisions/"))
                .filter(file -> !file.path().equals("docs/start.md"));
    }

    private static Stream<String> problems(TextFile page, Function<String, TextFile> files) {
        List<Snippet> snippets = Snippet.in(page);
        return snippets.stream().flatMap(snippet -> problem(snippet, files).stream());
    }

    private static Optional<String> problem(Snippet snippet, Function<String, TextFile> files) {
        if (snippet.source().isEmpty()) {
            return Optional.of(snippet.place() + " has no \"<!-- from examples/...java#region -->\" before it");
        }
        String[] source = snippet.source().split("#", 2);
        String expected = Snippet.region(files.apply(source[0]), source[1]);
        return snippet.code().strip().equals(expected)
                ? Optional.empty()
                : Optional.of(snippet.place() + " differs from " + snippet.source() + ":\n" + expected);
    }
}
