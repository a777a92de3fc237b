package io.perdure.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every package says in one sentence what it is for, and is free of nulls that nobody declared. */
class PackageInfoTest {
    private static final Pattern JAVADOC_SENTENCE =
            Pattern.compile("\\A/\\*\\*\\s(?<text>.*?)\\*/\\s*@NullMarked\\s+package ", Pattern.DOTALL);

    @Test
    void everyPackageIntroducesItself() {
        List<String> folders = Checkout.javaFiles().stream()
                .filter(file -> file.isMain() && !file.name().equals("module-info.java"))
                .map(TextFile::folder)
                .distinct()
                .toList();

        assertThat(folders).hasSizeGreaterThan(3);
        assertThat(folders.stream().flatMap(folder -> problem(folder).stream())).isEmpty();
    }

    @Test
    void plantedPackagesAreRejected() {
        assertThat(judge("package a;\n")).isPresent();
        assertThat(judge("/** Does a thing. */\npackage a;\n"))
                .as("not null marked")
                .isPresent();
        assertThat(judge("@NullMarked\npackage a;\n")).as("no sentence").isPresent();
        assertThat(judge("/** TBD */\n@NullMarked\npackage a;\n"))
                .as("no sentence")
                .isPresent();
        assertThat(judge("/** Does a thing. */\n@NullMarked\npackage a;\n")).isEmpty();
    }

    private static Optional<String> problem(String folder) {
        String path = folder + "/package-info.java";
        if (!Checkout.exists(path)) {
            return Optional.of(path + " is missing");
        }
        return judge(Checkout.file(path).text()).map(problem -> path + " " + problem);
    }

    private static Optional<String> judge(String packageInfo) {
        var matcher = JAVADOC_SENTENCE.matcher(packageInfo);
        if (!matcher.find()) {
            return Optional.of("needs a Javadoc comment and then @NullMarked");
        }
        String text = matcher.group("text").replaceAll("\\s*\\*\\s+", " ").strip();
        return Pattern.compile("\\S+ \\S+.*[.:]").matcher(text).find()
                ? Optional.empty()
                : Optional.of("needs a first sentence");
    }
}
