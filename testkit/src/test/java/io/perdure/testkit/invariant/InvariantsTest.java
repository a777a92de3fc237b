package io.perdure.testkit.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The list of rules is complete and tells them apart. */
class InvariantsTest {
    @Test
    void everyRuleThatATraceCanTellIsListedByItsNumber() {
        assertThat(Invariants.all().stream().map(Invariant::number).distinct())
                .containsExactly(1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 21, 23);
    }

    @Test
    void namesAndTextsAreUnique() {
        assertThat(Invariants.all().stream().collect(Collectors.groupingBy(Invariant::name)))
                .allSatisfy((_, rules) -> assertThat(rules).hasSize(1));
        assertThat(Invariants.all().stream().map(Invariant::text)).doesNotHaveDuplicates();
    }

    @Test
    void checkCollectsWhatAnyRuleFinds() {
        Scene scene = new Scene().start().note(new Fact.RunAbsent(Scene.ACME, Scene.RUN));

        List<Violation> found = Invariants.check(scene.trace());

        assertThat(found.stream().map(Violation::invariant)).contains("AckDurability", "RetentionRespected");
    }
}
