package io.perdure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemoteExampleTest {
    @Test
    void aWorkerNeedsOnlyAUrl(@TempDir Path folder) {
        assertThat(RemoteExample.tellAll("jdbc:sqlite:" + folder.resolve("app.db")))
                .containsExactly("hello ann");
    }
}
