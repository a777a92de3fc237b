package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The queues of a store as a table. */
class QueueListTest extends QueueFixture {
    @Test
    void aStoreWithoutQueuesSaysHowToGetOne() {
        assertThat(queue("list").out())
                .contains("There are no queues in " + store, "perdure queue create NAME --store " + store);
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 80, 120})
    void theListFitsTheTerminal(int columns) {
        queue("create", "mail");
        queue("create", "a_queue_with_a_long_name");
        IntStream.range(0, 3).forEach(_ -> queue("send", "mail", "1"));

        Invocation listed = narrow(columns, "queue", "list");

        assertFits(listed, columns);
        assertThat(listed.out()).contains("QUEUE", "READY", "DELAYED", "LEASED", "OLDEST", "mail.dlq");
        assertThat(listed.out()).containsPattern("mail +3 +0 +0 +\\d+[smhd]");
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 80, 120})
    void theListFitsTheTerminalWithTheLongestNames(int columns) {
        String name = "q".repeat(48);
        queue("create", name);
        queue("create", "mail");
        queue("send", name, "1");

        Invocation listed = narrow(columns, "queue", "list");

        assertFits(listed, columns);
        assertThat(listed.out())
                .containsPattern("(?m)^" + name + "\\.dlq\\b")
                .containsPattern("(?m)^" + name + "\\s+1 +0 +0 +\\d+[smhd]")
                .containsPattern("(?m)^mail +0 +0 +0\\b");
    }

    @Test
    void deadLettersShowNoSettingsSinceTheyFollowThoseOfTheirQueue() {
        queue("create", "mail");

        JsonNode deadLetters = json("list").get(1);

        assertThat(deadLetters.get("name").asString()).isEqualTo("mail.dlq");
        assertThat(deadLetters.has("settings")).isFalse();
    }
}
