package io.perdure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnboardingExampleTest {
    @Test
    void stepsSleepsAndResultFollowEachOther(@TempDir Path folder) {
        assertThat(OnboardingExample.tell("jdbc:sqlite:" + folder.resolve("app.db")))
                .containsExactly("created ann@example.com", "welcomed ann@example.com", "result user-1");
    }
}
