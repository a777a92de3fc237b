package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.worker.Claim.Served;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A run that is due while somebody has its message locked is skipped by a claim, and is not forgotten by that. */
final class SkippedRunsTest {
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration MOMENT = Duration.ofSeconds(1);

    private final FreshDatabase database = new FreshDatabase();
    private final Store store = Stores.open(database.text(), new SystemEnvironment(), Limits.defaults());

    @AfterEach
    void close() {
        store.close();
        database.close();
    }

    private Claimed claim() {
        Served served = new Served(new WorkflowName("sample"), Set.of(1));
        return store.claim(new ClaimRuns(TenantId.DEFAULT, List.of(served), 10, new Lease(UUID.randomUUID(), LEASE)));
    }

    @Test
    void aRunThatWasSkippedIsDueAgainInAMoment() throws SQLException {
        RunId run;
        try (Perdure perdure = Perdure.open(database.text())) {
            run = perdure.start("sample", Json.NULL, StartOptions.defaults()).id();
        }
        try (Connection other = database.session();
                Statement lock = other.createStatement()) {
            other.setAutoCommit(false);
            lock.execute("SELECT 1 FROM perdure.run_message FOR NO KEY UPDATE");
            Instant before = store.now();

            Claimed skipped = claim();

            assertThat(skipped.runs()).isEmpty();
            assertThat(Objects.requireNonNull(skipped.nextReady()))
                    .isBetween(before, store.now().plus(MOMENT));
            other.rollback();
        }
        assertThat(claim().runs()).extracting(Claimed.ClaimedRun::run).containsExactly(run);
        assertThat(claim().nextReady()).isAfter(store.now().plus(MOMENT));
    }
}
