package io.perdure.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.perdure.architecture.offenders.world.Innocent;
import io.perdure.architecture.offenders.world.Sleeper;
import io.perdure.architecture.offenders.world.TakesRandomness;
import io.perdure.architecture.offenders.world.TakesThreads;
import io.perdure.architecture.offenders.world.TakesTime;
import io.perdure.architecture.offenders.world.WaitsInTime;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StaticWorldTest {
    private static final String THE_ONE_PLACE = Production.ROOT + ".sdk.environment.SystemEnvironment";

    private static final ArchRule RULE = classes()
            .that()
            .resideInAnyPackage(Production.ROOT + ".sdk..", Production.ROOT + ".core..")
            .and(DescribedPredicate.describe(
                    "are not the system's environment",
                    (JavaClass type) -> !type.getName().equals(THE_ONE_PLACE)
                            && !type.getName().startsWith(THE_ONE_PLACE + "$")))
            .should(new StaticWorld());

    @Test
    void sdkAndCoreTakeNothingFromTheStaticWorld() {
        RULE.check(Production.classes());
    }

    @Test
    void theOnePlaceThatMayExistsAndIsSeenToTake() {
        assertThat(violations(Production.classes().stream()
                        .filter(type -> type.getName().startsWith(THE_ONE_PLACE))
                        .toList()))
                .isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(classes = {TakesTime.class, TakesRandomness.class, TakesThreads.class, WaitsInTime.class})
    void everyPlantedMethodIsRejected(Class<?> offender) {
        String violations = String.join("\n", violations(offender));

        List<String> planted = Stream.of(offender.getDeclaredMethods())
                .filter(method -> !method.isSynthetic())
                .map(Method::getName)
                .toList();
        assertThat(planted).hasSizeGreaterThan(5);
        assertThat(planted.stream()
                        .filter(method -> !violations.contains(offender.getName() + "." + method + "("))
                        .filter(method -> !violations.contains("lambda$" + method + "$")))
                .as("planted methods that were not rejected")
                .isEmpty();
    }

    @Test
    void aSubclassDoesNotHideAThread() {
        assertThat(violations(Sleeper.class)).anyMatch(line -> line.contains("java.lang.Thread.<init>"));
    }

    @Test
    void whatIsPassedInMayBeUsed() {
        assertThat(violations(Innocent.class)).isEmpty();
    }

    private static List<String> violations(Class<?> type) {
        return violations(List.of(new ClassFileImporter().importClass(type)));
    }

    private static List<String> violations(List<JavaClass> types) {
        return classes()
                .should(new StaticWorld())
                .evaluate(new ClassFileImporter()
                        .importClasses(types.stream().map(JavaClass::reflect).toList()))
                .getFailureReport()
                .getDetails();
    }
}
