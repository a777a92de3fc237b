package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.core.store.Announcement;
import io.perdure.core.store.RequestNote;
import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.ProcessId;
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
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A sweep goes past what somebody has locked, and the next one takes it. Were it to wait, it would meet the lock's time limit. */
final class SkippedSweepsTest {
    private final FreshDatabase database = new FreshDatabase();
    private final Store store = Stores.open(database.text(), new SystemEnvironment(), Limits.defaults());

    @AfterEach
    void close() {
        store.close();
        database.close();
    }

    private void sweepsPast(String locked, Sweep what) throws SQLException {
        try (Connection other = database.session();
                Statement lock = other.createStatement()) {
            other.setAutoCommit(false);
            lock.execute(locked + " FOR UPDATE");
            assertThat(store.sweep(what, 10)).isEqualTo(1);
            other.rollback();
        }
        assertThat(store.sweep(what, 10)).isEqualTo(1);
    }

    @Test
    void aRunThatIsLockedIsLeftToTheNextSweep() throws SQLException {
        RunId run;
        try (Perdure perdure = Perdure.open(database.text())) {
            run = perdure.start("sample", Json.NULL, StartOptions.defaults()).id();
            RunId other =
                    perdure.start("sample", Json.NULL, StartOptions.defaults()).id();
            assertThat(perdure.cancel(run, "over") && perdure.cancel(other, "over"))
                    .isTrue();
        }
        database.run("UPDATE perdure.run_at_rest SET retires_at = 1");
        sweepsPast("SELECT 1 FROM perdure.run WHERE id = '%s'".formatted(run), Sweep.RETIRED_RUNS);
    }

    @Test
    void aWorkerThatIsLockedIsLeftToTheNextSweep() throws SQLException {
        ProcessId process = announced();
        announced();
        database.run("UPDATE perdure.worker SET until = 1");
        sweepsPast("SELECT 1 FROM perdure.worker WHERE process = '%s'".formatted(process), Sweep.GONE_WORKERS);
    }

    @Test
    void aRequestThatIsLockedIsLeftToTheNextSweep() throws SQLException {
        UUID request = noted();
        noted();
        database.run("UPDATE perdure.request SET noted_at = 1");
        sweepsPast("SELECT 1 FROM perdure.request WHERE id = '%s'".formatted(request), Sweep.NOTED_REQUESTS);
    }

    private UUID noted() {
        UUID request = UUID.randomUUID();
        store.noteRequest(new RequestNote(TenantId.DEFAULT, request, UUID.randomUUID(), "0".repeat(64)));
        return request;
    }

    private ProcessId announced() {
        ProcessId process = new ProcessId(UUID.randomUUID());
        List<Served> served = List.of(new Served(new WorkflowName("sample"), Set.of(1)));
        store.announce(new Announcement(TenantId.DEFAULT, process, "w", served, 1, Duration.ofMinutes(1)));
        return process;
    }
}
