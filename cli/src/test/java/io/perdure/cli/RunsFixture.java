package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.run.Following;
import io.perdure.sdk.run.Run;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code perdure runs} over a SQLite file of the test's own, which is not there yet. */
abstract class RunsFixture {
    static final String NOBODY = "0199a1b2-0000-7000-8000-000000000000";

    static final Duration A_MINUTE = Duration.ofMinutes(1);

    String store = "";
    Path file = Path.of("");

    @BeforeEach
    void chooseStore(@TempDir Path folder) {
        file = folder.resolve("app.db");
        store = "jdbc:sqlite:" + file;
    }

    String[] inStore(String... args) {
        List<String> all = new ArrayList<>(List.of("runs"));
        all.addAll(List.of(args));
        all.addAll(List.of("--store", store));
        return all.toArray(String[]::new);
    }

    Invocation runs(String... args) {
        return Invocation.of(inStore(args));
    }

    JsonNode json(String... args) {
        List<String> all = new ArrayList<>(List.of(inStore(args)));
        all.addAll(List.of("--format", "json"));
        Invocation invocation = Invocation.of(all.toArray(String[]::new));
        assertThat(invocation.err()).isEmpty();
        return JsonMapper.shared().readTree(invocation.out());
    }

    static void assertSays(Invocation invocation, String line) {
        assertThat(invocation.err()).isEmpty();
        assertThat(invocation.exitCode()).isZero();
        assertThat(invocation.out()).startsWith(line + System.lineSeparator());
    }

    /** Returns once an event of this kind has happened. */
    static void await(Run<?> run, Class<? extends Event> kind) {
        try (Following following = run.follow(0)) {
            boolean seen = false;
            while (!seen) {
                var came = following.next(A_MINUTE);
                assertThat(came).as("before the first %s", kind).isNotEmpty();
                seen = came.stream().anyMatch(recorded -> kind.isInstance(recorded.event()));
            }
        }
    }

    static void assertFails(Invocation invocation, int exitCode, String start) {
        assertThat(invocation.err()).startsWith(start).hasLineCount(1);
        assertThat(invocation.exitCode()).isEqualTo(exitCode);
    }
}
