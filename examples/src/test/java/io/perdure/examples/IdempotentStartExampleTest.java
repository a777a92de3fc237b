package io.perdure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdempotentStartExampleTest {
    @Test
    void aRepeatedStartAnswersTheRunThatIsThere(@TempDir Path folder) {
        assertThat(IdempotentStartExample.tell("jdbc:sqlite:" + folder.resolve("app.db")))
                .containsExactly(
                        "workflow id, while active: the same run, not created",
                        "invoice for ann",
                        "workflow id, afterwards: another run, created",
                        "invoice for ann",
                        "invoice for bob",
                        "idempotency key: the same run, not created",
                        "invoice for bob",
                        "PD-303");
    }
}
