package io.perdure.server.worker;

import static io.perdure.server.worker.Waiting.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.client.Elsewhere;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.workflow.Workflow;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Releases that differ by one work together; those that differ by more say so. */
class ProtocolTest {
    private static final Workflow<String, String> ECHO =
            Workflow.named("echo").run(String.class, String.class, (_, input) -> input);

    @TempDir
    Path folder;

    @SuppressWarnings("NullAway.Init") // Given by JUnit.
    ProtocolTest() {}

    private TestServer serverOf(Set<Integer> protocols) {
        return new TestServer("jdbc:sqlite:" + folder.resolve("app.db"), 0, TestServer.WORKERS, protocols);
    }

    private static Set<Integer> oneAndPerhaps(int other) {
        return other == 1 ? Set.of(1) : Set.of(1, other);
    }

    @ParameterizedTest
    @CsvSource({"1,1", "2,1", "1,2", "2,2"})
    void oneReleaseOfDifferenceWorks(int newestOfServer, int newestOfWorker) {
        try (TestServer server = serverOf(oneAndPerhaps(newestOfServer));
                Elsewhere _ = Elsewhere.speaking(oneAndPerhaps(newestOfWorker), server.port(), 10, ECHO)) {
            assertThat(server.perdure().start(ECHO, "hello").result(PATIENCE)).isEqualTo("hello");
        }
    }

    @Test
    void moreIsRefusedAndBothAreNamed() {
        try (TestServer server = serverOf(Set.of(1))) {
            assertThatExceptionOfType(RefusedException.class)
                    .isThrownBy(() -> Elsewhere.speaking(Set.of(2, 3), server.port(), 10, ECHO))
                    .satisfies(thrown -> {
                        assertThat(thrown.code()).isEqualTo(ErrorCode.PROTOCOL_MISMATCH);
                        assertThat(thrown.what()).contains("[2, 3]").contains("[1]");
                    });
        }
    }
}
