package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands that wait for the end of a run, when the run is parked. */
@Timeout(120)
class ParkedWaitTest extends OrderFixture {
    private static final Workflow<String, String> MISTAKEN = Workflow.named("mistaken")
            .run(String.class, String.class, (ctx, _) -> ctx.attempt().idempotencyKey());

    @Test
    void watch_ofAParkedRun_stopsAndNamesTheRepairCommand() {
        String id = parked();

        Invocation watched = runs("watch", id);

        assertThat(watched.exitCode()).isEqualTo(1);
        assertThat(watched.out()).contains("run parked: PD-104 ");
        assertThat(watched.err())
                .startsWith("PD-316 Run " + id + " of order@1 is parked: PD-104 Run " + id)
                .contains("`perdure runs resume --store " + store + " " + id + "`")
                .hasLineCount(1);
    }

    @Test
    void watch_acrossParking_followsUntilTheTimeIsOver() {
        String id = parked();

        assertFails(
                runs("watch", id, "--across-parking", "--timeout", "10ms"),
                1,
                "PD-312 Run " + id + " is parked after it was followed for PT0.01S: PD-104 ");
    }

    @Test
    void start_withWait_stopsWhenTheRunIsParked() {
        try (Perdure _ = Perdure.open(store).register(MISTAKEN).start()) {
            Invocation start = runs("start", "mistaken", "\"x\"", "--wait", "1d");

            String id = json("list").get("runs").get(0).get("id").asString();
            assertFails(start, 1, "PD-316 Run " + id + " of mistaken@1 is parked: PD-506 ");
            assertThat(start.err()).contains("`perdure runs resume --store " + store + " " + id + "`");
        }
    }

    @Test
    void start_acrossParkingWithoutAWait_isWrongUsage() {
        assertFails(
                runs("start", "mistaken", "--across-parking"),
                2,
                "PD-901 --across-parking is for a wait: add --wait TIME");
        assertThat(file).doesNotExist();
    }

    @Test
    void start_withWaitAcrossParking_waitsUntilTheTimeIsOver() {
        try (Perdure worker = Perdure.open(store).register(MISTAKEN).start()) {
            Run<String> run =
                    worker.start(MISTAKEN, "x", StartOptions.defaults().idempotencyKey("once"));
            await(run, Event.RunParked.class);

            Invocation start =
                    runs("start", "mistaken", "\"x\"", "--key", "once", "--wait", "10ms", "--across-parking");

            assertFails(start, 1, "PD-312 Run " + run.id() + " is parked after a wait of PT0.01S: PD-506");
        }
    }
}
