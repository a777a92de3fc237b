package io.perdure.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every link of a page to something of ours leads there: to a file or folder, and to a heading where it names one. */
class LinksTest {
    private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```|`[^`\\n]*`");
    private static final Pattern CODE_BLOCKS = Pattern.compile("(?ms)^```.*?^```");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^()\\s]+)\\)");
    private static final Pattern CLASS_LINK = Pattern.compile("\\[`([^`]+)`]\\(([^()#]+\\.java)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+)$");

    private static final String ARCHIVE_PAGE = "dist/src/assembly/README.md";

    @Test
    void everyLinkLeadsSomewhere() {
        List<TextFile> pages = Checkout.files().stream()
                .filter(file -> file.path().endsWith(".md"))
                .toList();

        assertThat(pages.stream().flatMap(LinksTest::links)).hasSizeGreaterThan(200);
        assertThat(pages.stream().flatMap(page -> problems(page, LinksTest::read)))
                .isEmpty();
    }

    @Test
    void aClassThatIsLinkedIsInItsFile() {
        TextFile house = Checkout.file("ARCHITECTURE.md");
        List<MatchResult> named = CLASS_LINK.matcher(house.text()).results().toList();

        assertThat(named)
                .hasSizeGreaterThan(50)
                .allSatisfy(link -> assertThat(Checkout.file(link.group(2)).text())
                        .as(link.group(2))
                        .contains(link.group(1).replaceFirst(".*[./]", "")));
    }

    @Test
    void everyPageOfTheDocsIsReachedFromTheirIndex() {
        TextFile index = Checkout.file("docs/README.md");
        List<String> named = links(index)
                .map(link -> resolve(index, link.replaceFirst("#.*", "")))
                .toList();

        assertThat(Checkout.files().stream()
                        .map(TextFile::path)
                        .filter(path -> path.startsWith("docs/") && path.endsWith(".md"))
                        .filter(path -> !path.startsWith("docs/errors/") && !path.equals(index.path())))
                .isNotEmpty()
                .allSatisfy(path -> assertThat(named).contains(path));
    }

    @Test
    void plantedLinksAreRefused() {
        Function<String, Optional<String>> files = path -> path.equals("docs/b.md")
                ? Optional.of("# One, two: `three`\n\n## Again\n\n## Again\n")
                : Optional.empty();

        assertThat(problems(page("[b](b.md) [t](b.md#one-two-three) [a](b.md#again-1) [w](https://a.b/c)"), files))
                .isEmpty();
        assertThat(problems(page("[c](c.md)"), files)).hasSize(1);
        assertThat(problems(page("[n](b.md#nothing)"), files)).hasSize(1);
        assertThat(problems(page("# Here\n[h](#here) [t](#there)"), files)).hasSize(1);
        assertThat(problems(page("`[c](c.md)`\n```\n[c](c.md)\n```\n"), files)).isEmpty();
    }

    private static TextFile page(String text) {
        return new TextFile("docs/a.md", text);
    }

    private static Stream<String> links(TextFile page) {
        return LINK.matcher(CODE.matcher(page.text()).replaceAll(""))
                .results()
                .map(link -> link.group(1))
                .filter(link -> !link.matches("(?i)[a-z]+:.*"));
    }

    private static Stream<String> problems(TextFile page, Function<String, Optional<String>> files) {
        return links(page).flatMap(link -> problem(page, link, files).stream());
    }

    private static Optional<String> problem(TextFile page, String link, Function<String, Optional<String>> files) {
        String[] parts = link.split("#", 2);
        Optional<String> target = parts[0].isEmpty() ? Optional.of(page.text()) : files.apply(resolve(page, parts[0]));
        if (target.isEmpty()) {
            return Optional.of(page.path() + " links to " + link + ", which is not there");
        }
        return parts.length == 1 || anchors(target.get()).contains(parts[1])
                ? Optional.empty()
                : Optional.of(page.path() + " links to " + link + ", which has no such heading");
    }

    /** The page of the archive lies at its top, beside what is at the top here. */
    private static String resolve(TextFile page, String link) {
        String folder = page.path().equals(ARCHIVE_PAGE) ? "" : page.folder();
        return Path.of(folder).resolve(link).normalize().toString().replace('\\', '/');
    }

    /** The text of a file; of a folder, nothing. */
    private static Optional<String> read(String path) {
        if (Files.isDirectory(Checkout.root().resolve(path))) {
            return Optional.of("");
        }
        return Checkout.exists(path) ? Optional.of(Checkout.file(path).text()) : Optional.empty();
    }

    /** The names that hosts of Markdown give to headings. */
    private static List<String> anchors(String page) {
        List<String> names = new ArrayList<>();
        HEADING.matcher(CODE_BLOCKS.matcher(page).replaceAll("")).results().forEach(heading -> {
            String name = heading.group(1)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-');
            long before = names.stream()
                    .filter(other -> other.equals(name) || other.matches(Pattern.quote(name) + "-\\d+"))
                    .count();
            names.add(before == 0 ? name : name + "-" + before);
        });
        return names;
    }
}
