package io.perdure.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.postgres.PostgresBinaries;
import io.perdure.postgres.PrivatePostgres;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever follows the start page to the letter, in an empty folder, gets what the page shows. */
class StartPageTest {
    private static final TextFile PAGE = Checkout.file("docs/start.md");
    private static final Pattern DEPENDENCY = Pattern.compile(
            "<groupId>io\\.perdure</groupId>\\s*<artifactId>[^<]*</artifactId>\\s*<version>([^<]*)</version>");
    private static final String DATABASE_OF_THE_PAGE = "jdbc:postgresql://localhost/shop?user=me&password=secret";

    @Test
    void thePageLeadsFromAnEmptyFolderToADurableWorkflow(@TempDir Path folder) throws Exception {
        Path checkout = Files.createDirectories(folder.resolve("perdure"));
        writeLauncher(checkout.resolve("perdure"));

        try (LocalRepository repository = LocalRepository.in(folder.resolve("repository"));
                PrivatePostgres postgres =
                        PrivatePostgres.start(PostgresBinaries.bundled(), PrivatePostgres.WITHOUT_DURABILITY);
                Reader reader = new Reader(
                        checkout, environment(repository), Map.of(DATABASE_OF_THE_PAGE, postgres.url("shop")))) {
            for (GuideStep step : GuideStep.in(PAGE)) {
                reader.follow(step);
            }
        }
    }

    @Test
    void everyPageNamesThisRelease() {
        List<String> versions = Checkout.files().stream()
                .filter(file -> file.path().endsWith(".md"))
                .flatMap(file -> DEPENDENCY.matcher(file.text()).results())
                .map(dependency -> dependency.group(1))
                .toList();

        assertThat(versions).hasSizeGreaterThan(3).containsOnly(LocalRepository.version());
    }

    @Test
    void whatAPageShowsIsComparedLineByLine(@TempDir Path folder) throws Exception {
        try (Reader reader = new Reader(folder, Map.of(), Map.of())) {
            reader.follow(new GuideStep.Run("echo it took 1.5 s; mkdir sub; cd sub"));
            reader.follow(new GuideStep.Says(List.of("it took 20 ms")));
            reader.follow(new GuideStep.WriteFile(Path.of("a.txt"), "3\n"));
            reader.follow(new GuideStep.EditFile(Path.of("a.txt"), "3\n", "4\n"));
            reader.follow(new GuideStep.Run("cat ../sub/a.txt"));
            reader.follow(new GuideStep.Says(List.of("4")));

            assertThatThrownBy(() -> reader.follow(new GuideStep.Says(List.of("3"))))
                    .isInstanceOf(AssertionError.class);
            assertThatThrownBy(() -> reader.follow(new GuideStep.Run("false; true")))
                    .isInstanceOf(AssertionError.class);
        }
    }

    @Test
    void aBlockThatSaysNotWhatItIsForIsRefused() {
        TextFile page = new TextFile("page.md", "Text.\n\n```shell\nls\n```\n");

        assertThatThrownBy(() -> GuideStep.in(page)).isInstanceOf(AssertionError.class);
    }

    /** What the page asks for: a JDK 25, and Perdure installed. */
    private static Map<String, String> environment(LocalRepository repository) {
        String java = System.getProperty("java.home");
        return Map.of(
                "JAVA_HOME", java,
                "PATH", Path.of(java, "bin") + File.pathSeparator + System.getenv("PATH"),
                "MAVEN_OPTS", "-Dmaven.repo.local=" + repository.folder());
    }

    /** The launcher of the checkout would build it, which is what is under way; so this one takes what this test sees. */
    private static void writeLauncher(Path file) throws IOException {
        Files.writeString(file, """
                #!/usr/bin/env bash
                exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED -Dslf4j.internal.verbosity=ERROR \\
                    -cp '%s' io.perdure.cli.Main "$@"
                """.formatted(System.getProperty("java.class.path")));
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
