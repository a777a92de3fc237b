package io.perdure.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class SeedsTest {
    @Test
    void aSeedThatWasAskedForIsTheOne() {
        assertThat(Seeds.asked("-42").boxed()).containsExactly(-42L);
        assertThat(Seeds.asked(null).boxed()).isEmpty();
    }

    @Test
    void aSeedThatIsNoNumberIsAnError() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Seeds.asked("forty-two"))
                .withMessageContaining("-Dperdure.seed=forty-two");
    }
}
