package io.perdure.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.run.RunCount;
import io.perdure.testkit.Exhaustive;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A sleeping run is a row: no thread, and no memory. */
@Exhaustive
final class SleepersTest {
    private static final int RUNS = 100_000;

    @TempDir
    Path folder;

    @Test
    @Timeout(300)
    void runsThatSleepCostNeitherThreadsNorMemory() throws IOException {
        Path database = folder.resolve("app.db");
        SleepersProcess.Cost cost = SleepersProcess.run(database, RUNS);
        assertThat(cost.heapBytes()).as("heap of %s", cost).isLessThan(SleepersProcess.MOST_HEAP_BYTES);
        assertThat(cost.threads()).as("threads of %s", cost).isLessThan(SleepersProcess.MOST_THREADS);
        try (Store store = Stores.open("jdbc:sqlite:" + database, new SystemEnvironment(), Limits.defaults())) {
            assertThat(store.runCounts(TenantId.DEFAULT)).singleElement().satisfies(SleepersTest::allSleep);
        }
    }

    private static void allSleep(RunCount count) {
        assertThat(count.status()).isEqualTo(RunStatus.RUNNING);
        assertThat(count.count()).isGreaterThanOrEqualTo(RUNS);
    }
}
