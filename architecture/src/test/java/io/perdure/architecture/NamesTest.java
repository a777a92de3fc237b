package io.perdure.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names say the role: of a class, not that it implements or helps; of a package, the feature, not the kind of thing. */
class NamesTest {
    /** The doors, which users name beside other libraries' clients and servers, bear the product's name. */
    private static final Pattern EMPTY_CLASS_NAME = Pattern.compile(
            "\\w*(Impl|Manager|Utils?|Helper|Dto|DTO)(\\$.*)?|Perdure(?!(Client|Server)$)\\w+(?<!Exception)");

    private static final Pattern EMPTY_PACKAGE_NAME =
            Pattern.compile("(.*\\.)?(model|utils?|dto|exceptions?|common|helpers?)(\\..*)?");

    @Test
    void classesAreNamedForTheirRole() {
        assertThat(names(JavaClass::getSimpleName))
                .hasSizeGreaterThan(20)
                .noneMatch(name -> EMPTY_CLASS_NAME.matcher(name).matches());
    }

    @Test
    void packagesAreNamedForTheirFeature() {
        assertThat(names(JavaClass::getPackageName))
                .hasSizeGreaterThan(3)
                .noneMatch(name -> EMPTY_PACKAGE_NAME.matcher(name).matches());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "StoreImpl",
                "RunManager",
                "JsonUtil",
                "JsonUtils",
                "TestHelper",
                "RunDto",
                "PerdureStore",
                "PerdureClients"
            })
    void emptyClassNamesAreRejected(String name) {
        assertThat(name).matches(EMPTY_CLASS_NAME);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SqliteStore",
                "Implant",
                "Managers",
                "PerdureException",
                "Perdure",
                "PerdureClient",
                "PerdureServer"
            })
    void tellingClassNamesAreNot(String name) {
        assertThat(name).doesNotMatch(EMPTY_CLASS_NAME);
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.perdure.core.util", "io.perdure.model.run", "io.perdure.sdk.exceptions"})
    void emptyPackageNamesAreRejected(String name) {
        assertThat(name).matches(EMPTY_PACKAGE_NAME);
    }

    private static List<String> names(Function<JavaClass, String> name) {
        return Production.classes().stream().map(name).distinct().toList();
    }
}
