package io.perdure.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Workflow;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A copy of a live database, taken as the reference tells, while its runs sleep. */
final class CopyTest {
    private static final Duration NAP = Duration.ofSeconds(3);
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    @Test
    @Timeout(120)
    void aCopyGoesOnByItselfWithTheSameDeadlines() throws SQLException {
        Duration nap = NAP;
        // Where the machine stands still, the runs may have woken before they are copied.
        while (!isCopiedAsleep(nap)) {
            nap = nap.multipliedBy(2);
        }
    }

    /** Returns false if a run was not asleep any more when it was copied. */
    private boolean isCopiedAsleep(Duration nap) throws SQLException {
        Path original = folder.resolve("original-%s.db".formatted(nap));
        Path copy = folder.resolve("copy-of-%s.db".formatted(nap));
        Workflow<String, String> here = workingOn("original", nap);
        Workflow<String, String> there = workingOn("copy", nap);
        try (Perdure first =
                Perdure.open("jdbc:sqlite:" + original).register(here).start()) {
            List<RunId> ids =
                    List.of(first.start(here, "").id(), first.start(here, "").id());
            awaitSleep(first, here, ids);
            copy(original, copy);
            try (Perdure second = Perdure.open("jdbc:sqlite:" + copy).register(there)) {
                if (!ids.stream().allMatch(id -> isAsleep(second.run(there, id)))) {
                    return false;
                }
                second.start();
                ids.forEach(id -> assertGoesOnByItself(first.run(here, id), second.run(there, id)));
                return true;
            }
        }
    }

    private static void assertGoesOnByItself(Run<String> mine, Run<String> theirs) {
        assertThat(mine.result(LONG)).isEqualTo("slept before original");
        assertThat(theirs.result(LONG)).isEqualTo("slept before copy");
        assertThat(until(theirs)).isEqualTo(until(mine));
        int shared = shared(mine);
        assertThat(theirs.history().subList(0, shared)).isEqualTo(mine.history().subList(0, shared));
        assertThat(theirs.history().subList(shared, theirs.history().size()))
                .isNotEqualTo(mine.history().subList(shared, mine.history().size()));
        assertThat(endOf(mine)).isAfterOrEqualTo(until(mine));
        assertThat(endOf(theirs)).isAfterOrEqualTo(until(mine));
    }

    private static Workflow<String, String> workingOn(String file, Duration nap) {
        return Workflow.named("copied").run(String.class, String.class, (ctx, _) -> {
            ctx.sleep("nap", nap);
            return "slept before " + ctx.step("where", String.class, () -> file);
        });
    }

    private static boolean isAsleep(Run<?> run) {
        return run.history().getLast().event() instanceof Event.SleepStarted;
    }

    private static void awaitSleep(Perdure perdure, Workflow<?, String> workflow, List<RunId> ids) {
        for (RunId id : ids) {
            while (perdure.run(workflow, id).history().size() < 2) {
                Thread.onSpinWait();
            }
        }
    }

    /** By another connection of the same driver: SQLite knows all of its own connections, so no lock is lost. */
    private static void copy(Path from, Path to) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + from);
                Statement statement = connection.createStatement()) {
            statement.execute("VACUUM INTO '%s'".formatted(to));
        }
    }

    /** How many events both have: up to the sleep. */
    private static int shared(Run<?> run) {
        return Math.toIntExact(sleep(run).seq()) + 1;
    }

    private static Instant until(Run<?> run) {
        return Objects.requireNonNull(sleep(run).until());
    }

    private static Recorded sleep(Run<?> run) {
        return run.history().stream()
                .filter(recorded -> recorded.event() instanceof Event.SleepStarted)
                .findFirst()
                .orElseThrow();
    }

    private static Instant endOf(Run<?> run) {
        return run.history().getLast().at();
    }
}
