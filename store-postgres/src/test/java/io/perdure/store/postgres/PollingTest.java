package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.core.store.Hint;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.ProcessId;
import java.sql.Connection;
import org.junit.jupiter.api.Test;

final class PollingTest {
    private final SystemEnvironment environment = new SystemEnvironment();
    private final Polling polling = new Polling(new SchemaName("perdure"), environment.bell());

    private ProcessId own() {
        ProcessId process = environment.ids().processId();
        polling.isOwn(process);
        return process;
    }

    private static void opensLanes(FreshDatabase database, ProcessId process) {
        database.run("SELECT perdure.open_lanes_1('%s', 1)".formatted(process.value()));
    }

    @Test
    void whatOurOwnProcessesDoIsNoNewsUnlessManyOthersWereAnnouncedSince() throws Exception {
        try (FreshDatabase database = new FreshDatabase();
                Connection connection = database.session()) {
            Perdure.open(database.text()).close();
            ProcessId announcedAgain = own();
            ProcessId silent = own();
            polling.isOwn(announcedAgain);
            for (int others = 1; others < Polling.MOST_OWN; others++) {
                own();
            }
            polling.begin(connection);

            opensLanes(database, announcedAgain);
            assertThat(polling.hear(connection)).isEmpty();
            opensLanes(database, silent);
            assertThat(polling.hear(connection)).containsExactly(new Hint.Anything());
        }
    }
}
