package io.perdure.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users depend on is a named module that exports its API and SPI, and nothing internal. */
class ModuleInfoTest {
    private static final Pattern EXPORT = Pattern.compile("^\\s*exports\\s+([\\w.]+)", Pattern.MULTILINE);
    private static final Pattern INTERNAL = Pattern.compile("(^|\\.)internal(\\.|$)");

    @ParameterizedTest
    @ValueSource(strings = {"sdk", "core", "testkit", "client", "server"})
    void libraryModulesAreNamedAndExportTheirApi(String module) {
        String source = module + "/src/main/java/";
        String moduleInfo = Checkout.file(source + "module-info.java").text();

        assertThat(moduleInfo).contains("module io.perdure." + module + " {").doesNotContain("open module");
        assertThat(exports(moduleInfo))
                .isNotEmpty()
                .allSatisfy(exported -> assertThat(exported).startsWith("io.perdure." + module))
                .noneMatch(ModuleInfoTest::isInternal)
                .allMatch(exported -> Checkout.javaFiles().stream()
                        .anyMatch(file -> file.folder().equals(source + exported.replace('.', '/'))));
    }

    @Test
    void aPlantedInternalExportIsRejected() {
        List<String> exports = exports("""
                module io.perdure.sdk {
                    exports io.perdure.sdk;
                    exports io.perdure.sdk.internal.json to io.perdure.core;
                }
                """);

        assertThat(exports).containsExactly("io.perdure.sdk", "io.perdure.sdk.internal.json");
        assertThat(exports.stream().filter(ModuleInfoTest::isInternal)).hasSize(1);
    }

    private static List<String> exports(String moduleInfo) {
        return EXPORT.matcher(moduleInfo)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    private static boolean isInternal(String exported) {
        return INTERNAL.matcher(exported).find();
    }
}
