package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Runs that lost what brings them on, mended from the command line. */
class RunsRecoverTest extends OrderFixture {
    /** As a hand in the database would do it. */
    private void loseMessages() throws SQLException {
        try (Connection connection = DriverManager.getConnection(store);
                Statement statement = connection.createStatement()) {
            statement.execute("DELETE FROM run_message");
        }
    }

    @Test
    void lostRunsAreMendedAndNamedWithTheReason() throws SQLException {
        String waiting = waiting();
        String begun = started(1);
        loseMessages();

        Invocation recovered = runs("recover");
        assertThat(recovered.err()).isEmpty();
        assertThat(recovered.exitCode()).isZero();
        assertThat(recovered.out())
                .containsPattern("REASON +RUNS +WHAT IT WAS")
                .containsPattern("(?m)^timeout +0 ")
                .containsPattern("(?m)^stuck_created +1 ")
                .containsPattern("(?m)^stuck_completed +1 ")
                .containsPattern("(?m)^" + begun + " +order +stuck_created$")
                .containsPattern("(?m)^" + waiting + " +order +stuck_completed$")
                .contains("What became of one:  perdure runs history --store " + store + " RUN");
        assertThat(runs("history", begun).out()).contains("run resumed by perdure: stuck_created");
        assertThat(runs("recover").out()).startsWith("Nothing to mend in " + store);

        try (Perdure worker = Perdure.open(store).register(ORDER).start()) {
            worker.signal(RunId.parse(waiting), "word", Json.NULL);
            assertThat(worker.run(ORDER, RunId.parse(waiting)).result(A_MINUTE)).isEqualTo("o-1");
        }
    }

    @Test
    void theReportSpeaksJson() throws SQLException {
        String id = started(1);
        loseMessages();

        JsonNode report = json("recover");
        assertThat(report.get("recovered").asInt()).isEqualTo(1);
        assertThat(report.get("counts").get("stuck_created").asInt()).isEqualTo(1);
        assertThat(report.get("counts").get("timeout").asInt()).isZero();
        assertThat(report.get("runs").get(0).get("id").asString()).isEqualTo(id);
        assertThat(report.get("runs").get(0).get("reason").asString()).isEqualTo("stuck_created");
        assertThat(json("recover").get("runs")).isEmpty();
    }

    @Test
    void wrongUsageLeavesNoStoreBehind() {
        assertFails(runs("recover", NOBODY), 2, "PD-901 Unknown command or argument");
        assertThat(Files.exists(file)).isFalse();
    }
}
