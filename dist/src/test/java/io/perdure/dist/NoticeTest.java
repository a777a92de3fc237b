package io.perdure.dist;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** NOTICE names every library of others that the archive has, and no other. */
class NoticeTest {
    private static final Pattern NAME = Pattern.compile("(?<name>.+?)-\\d.*\\.jar");
    /** Two spaces, and a name without any: a library. */
    private static final Pattern LINE = Pattern.compile("^ {2}(?<name>\\S+)$", Pattern.MULTILINE);

    @TempDir
    private Path home;

    @Test
    void everyJarOfOthersIsNamedAndNoOther() throws Exception {
        UnpackedArchive archive = UnpackedArchive.in(home);
        Set<String> shipped = librariesOf(archive.jars());
        String notice = Files.readString(archive.root().resolve("NOTICE"));

        assertThat(shipped).hasSizeGreaterThan(10);
        assertThat(named(notice)).containsExactlyElementsOf(shipped);
    }

    @Test
    void plantedDifferencesAreSeen() {
        assertThat(librariesOf(List.of("helidon-4.5.0.jar", "helidon-http-http1-4.5.0.jar", "perdure-sdk-0.1.0.jar")))
                .containsExactly("helidon", "helidon-http-http1");
        assertThat(named("Perdure\n\nHelidon, Apache-2.0\n  helidon\n  helidon-http-http1\n"))
                .containsExactly("helidon", "helidon-http-http1");
    }

    private static Set<String> librariesOf(List<String> jars) {
        return sorted(jars.stream()
                .filter(jar -> !jar.startsWith("perdure-"))
                .flatMap(jar -> NAME.matcher(jar).results().map(match -> match.group("name"))));
    }

    private static Set<String> named(String notice) {
        return sorted(LINE.matcher(notice).results().map(match -> match.group("name")));
    }

    private static Set<String> sorted(Stream<String> names) {
        return names.collect(toCollection(TreeSet::new));
    }
}
