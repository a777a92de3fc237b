package io.perdure.core.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelsTest {
    @ParameterizedTest
    @CsvSource({
        "charge, charge",
        "charge-17, charge-#",
        "charge-17-of-20, charge-#-of-#",
        "2fa, #fa",
        "01990000-0000-7000-8000-00000000000a.pay, #.pay"
    })
    void numbersAreFolded(String name, String label) {
        assertThat(Labels.folded(name)).isEqualTo(label);
    }

    @Test
    void namesThatComeAfterSoManyOthersAreOne() {
        Labels labels = new Labels(2);
        assertThat(labels.of("a")).isEqualTo("a");
        assertThat(labels.ofNumbered("b-1")).isEqualTo("b-#");
        assertThat(labels.of("c")).isEqualTo(Labels.OTHER);
        assertThat(labels.of("a")).isEqualTo("a");
        assertThat(labels.ofNumbered("b-2")).isEqualTo("b-#");
    }
}
