package io.perdure.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sizes and habits of the source files. Files aim at 300 lines and methods at 40; these are where the build stops. */
class TidyTest {
    private static final int FILE_LINES = 400;
    private static final int METHOD_LINES = 60;

    static List<TidyRule> rules() {
        return TidyRule.ALL;
    }

    @Test
    void everyModuleIsScanned() {
        assertThat(Checkout.javaFiles()).hasSizeGreaterThan(50);
        assertThat(Checkout.javaFiles().stream().map(TextFile::module))
                .contains("sdk", "core", "testkit", "cli", "architecture");
        assertThat(Checkout.files().stream().map(TextFile::path)).contains("pom.xml", "perdure", ".ci/run");
    }

    @ParameterizedTest
    @MethodSource("rules")
    void noLineBreaksARule(TidyRule rule) {
        assertThat(Checkout.files().stream().flatMap(rule::violations)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("rules")
    void everyRuleRejectsItsSample(TidyRule rule) {
        TextFile planted =
                new TextFile("core/src/main/java/Planted.java", "class Planted {\n" + rule.sample() + "\n}\n");

        assertThat(rule.violations(planted)).hasSize(1).first().asString().startsWith(planted.path() + ":2 ");
    }

    @Test
    void filesFitTheReader() {
        assertThat(tooLong(Checkout.javaFiles())).isEmpty();
        assertThat(tooLong(List.of(new TextFile("Long.java", "\n".repeat(FILE_LINES + 1)))))
                .hasSize(1);
    }

    @Test
    void methodsFitTheScreen() {
        List<TextFile> files = Checkout.javaFiles();

        assertThat(files.stream().flatMap(file -> JavaShape.of(file.text()).methods().stream()))
                .hasSizeGreaterThan(100);
        assertThat(files.stream().flatMap(TidyTest::longMethods)).isEmpty();
        assertThat(longMethods(new TextFile("A.java", "class A {\nvoid a() {" + "\n".repeat(METHOD_LINES) + "}\n}")))
                .containsExactly("A.java:2 a has 61 lines");
    }

    @Test
    void noExceptionIsSwallowedInSilence() {
        assertThat(Checkout.javaFiles().stream().flatMap(TidyTest::emptyCatches))
                .isEmpty();

        String swallows = "class A {\nvoid a() {\ntry { b(); }\ncatch (Exception e) {%s}\n}\n}";
        assertThat(emptyCatches(new TextFile("A.java", swallows.formatted(" "))))
                .containsExactly("A.java:4");
        assertThat(emptyCatches(new TextFile("A.java", swallows.formatted("\n// it was closed before\n"))))
                .isEmpty();
    }

    private static List<String> tooLong(List<TextFile> files) {
        return files.stream()
                .filter(file -> file.lines().size() > FILE_LINES)
                .map(file -> file.path() + " has " + file.lines().size() + " lines")
                .toList();
    }

    private static Stream<String> longMethods(TextFile file) {
        return JavaShape.of(file.text()).methods().stream()
                .filter(method -> method.lines() > METHOD_LINES)
                .map(method ->
                        file.path() + ":" + method.line() + " " + method.name() + " has " + method.lines() + " lines");
    }

    private static Stream<String> emptyCatches(TextFile file) {
        return JavaShape.of(file.text()).emptyCatchLines().stream().map(line -> file.path() + ":" + line);
    }
}
