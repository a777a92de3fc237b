package io.perdure.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The BOM has every module that is published, at this version, and forces nobody else's version on its users. */
class BomTest {
    private static final Pattern MODULE = Pattern.compile("<module>(?<value>.*)</module>");
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(?<value>perdure-.*)</artifactId>");
    private static final Pattern GROUP = Pattern.compile("<groupId>(?<value>.*)</groupId>");
    private static final Pattern OWN_VERSION =
            Pattern.compile("^ {2}<version>(?<value>.*)</version>", Pattern.MULTILINE);
    private static final String NOT_PUBLISHED = "<maven.deploy.skip>true</maven.deploy.skip>";

    @Test
    void everyPublishedModuleIsInIt() {
        List<String> published = values(MODULE, text("pom.xml")).stream()
                .filter(module -> !module.equals("bom"))
                .map(module -> text(module + "/pom.xml"))
                .filter(pom -> !pom.contains(NOT_PUBLISHED))
                .map(pom -> values(ARTIFACT, pom.substring(pom.indexOf("</parent>")))
                        .getFirst())
                .toList();

        assertThat(published).contains("perdure-sdk", "perdure-store-sqlite").doesNotContain("perdure-benchmarks");
        assertThat(managed()).containsExactlyInAnyOrderElementsOf(published);
    }

    @Test
    void itHasThisVersionAndNothingOfOthers() {
        String bom = text("bom/pom.xml");

        assertThat(values(OWN_VERSION, bom)).isEqualTo(values(OWN_VERSION, text("pom.xml")));
        assertThat(values(GROUP, bom)).containsOnly("io.perdure");
        assertThat(bom).as("a parent would bring its own dependencyManagement").doesNotContain("<parent>");
    }

    private static List<String> managed() {
        List<String> artifacts = values(ARTIFACT, text("bom/pom.xml"));
        assertThat(artifacts.getFirst()).isEqualTo("perdure-bom");
        return artifacts.subList(1, artifacts.size());
    }

    private static String text(String path) {
        return Checkout.file(path).text();
    }

    private static List<String> values(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(match -> match.group("value"))
                .toList();
    }
}
