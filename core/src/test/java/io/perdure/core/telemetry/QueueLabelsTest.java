package io.perdure.core.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.id.QueueName;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class QueueLabelsTest {
    private final QueueLabels labels = new QueueLabels(2);

    private static List<QueueName> named(String... names) {
        return Stream.of(names).map(QueueName::new).toList();
    }

    private List<String> shown(String... names) {
        labels.choose(named(names));
        return named(names).stream().map(labels::of).toList();
    }

    @Test
    void deadLettersGoWithTheirQueueAndThoseOfOthersAreApart() {
        assertThat(shown("a", "a.dlq", "b", "b.dlq", "c", "c.dlq"))
                .containsExactly("a", "a.dlq", "b", "b.dlq", "other", "other.dlq");
    }

    @Test
    void aQueueKeepsItsLabelWhileItExistsWhateverComes() {
        shown("m", "n");
        assertThat(shown("a", "m", "n", "z")).containsExactly("other", "m", "n", "other");
    }

    @Test
    void aQueueThatIsGoneMakesRoom() {
        shown("a", "b", "c");
        assertThat(shown("b", "c", "d")).containsExactly("b", "c", "other");
        assertThat(shown("d")).containsExactly("d");
    }
}
