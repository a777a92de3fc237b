package io.perdure.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ModuleEdgesTest {
    private static final String OFFENDERS = "io.perdure.architecture.offenders.edges";

    private static ArchRule edges(String root) {
        return classes().should(new ModuleEdges(root));
    }

    private static ArchRule jdbcOnlyInStores(String root) {
        return noClasses()
                .that()
                .resideOutsideOfPackages(root + ".store..", root + ".benchmarks..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "javax.sql..")
                .because("JDBC belongs in the store-* modules; benchmarks compare with what is made by hand");
    }

    private static ArchRule noCycles(String root) {
        return slices().matching(root + ".(**)").should().beFreeOfCycles();
    }

    @Test
    void modulesSeeOnlyWhatTheyMay() {
        edges(Production.ROOT).check(Production.classes());
    }

    @Test
    void jdbcStaysInTheStores() {
        jdbcOnlyInStores(Production.ROOT).check(Production.classes());
    }

    @Test
    void packagesFormNoCycle() {
        noCycles(Production.ROOT).check(Production.classes());
    }

    @Test
    void everyModuleOfOursWasLookedAt() {
        Set<String> modules = Production.classes().stream()
                .map(JavaClass::getPackageName)
                .map(name -> name.split("\\.", -1)[2])
                .collect(Collectors.toSet());

        assertThat(modules)
                .contains("sdk", "core", "testkit", "postgres", "client", "server", "cli", "store", "benchmarks")
                .doesNotContain("architecture");
        assertThat(Production.classes().stream().map(JavaClass::getPackageName))
                .as("each store")
                .contains("io.perdure.store.sqlite", "io.perdure.store.postgres");
    }

    @Test
    void plantedEdgesAreRejected() {
        JavaClasses planted = Production.offenders(OFFENDERS);

        assertThat(edges(OFFENDERS).evaluate(planted).getFailureReport().getDetails())
                .anySatisfy(line -> assertThat(line).contains("sdk.SeesCore", "core.Engine"))
                .anySatisfy(line -> assertThat(line).contains("core.SeesExample", "examples.Example"))
                .anySatisfy(line -> assertThat(line).contains("attic.Unlisted", "nobody decided"));
        assertThat(jdbcOnlyInStores(OFFENDERS)
                        .evaluate(planted)
                        .getFailureReport()
                        .getDetails())
                .anySatisfy(line -> assertThat(line).contains("core.Engine", "java.sql.Connection"));
        assertThat(noCycles(OFFENDERS).evaluate(planted).hasViolation()).isTrue();
    }
}
