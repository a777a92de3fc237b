package io.perdure.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

class CoreOrderTest {
    private static final String OFFENDERS = "io.perdure.architecture.offenders.order.core";

    private static ArchRule order(String core) {
        return classes().that().resideInAPackage(core + "..").should(new CoreOrder(core));
    }

    @Test
    void packagesOfCoreImportOnlyThoseBeforeThem() {
        order(Production.ROOT + ".core").check(Production.classes());
    }

    @Test
    void plantedImportsAreRejected() {
        assertThat(order(OFFENDERS)
                        .evaluate(Production.offenders(OFFENDERS))
                        .getFailureReport()
                        .getDetails())
                .hasSize(3)
                .anySatisfy(line -> assertThat(line).contains("store.SeesQueue", "queue.Waiting"))
                .anySatisfy(line -> assertThat(line).contains("queue.Waiting", "core.Door"))
                .anySatisfy(line -> assertThat(line).contains("shelf.Unlisted", "no place in the order"));
    }
}
