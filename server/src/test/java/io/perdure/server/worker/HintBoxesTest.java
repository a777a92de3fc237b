package io.perdure.server.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.core.Perdure;
import io.perdure.core.workflow.WorkerDesk;
import io.perdure.sdk.Limits;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.wire.Hints;
import io.perdure.sdk.wire.Poll;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HintBoxesTest {
    private static final Hints LOOK = new Hints(true, List.of());
    private static final Poll POLL =
            Poll.read(Json.of("{\"served\":[{\"workflow\":\"sample\",\"versions\":[1]}],\"wait\":\"PT0S\"}"));

    @TempDir
    Path folder;

    private static HintBoxes.Owner worker(String tenant) {
        return new HintBoxes.Owner(new TenantId(tenant), new ProcessId(UUID.randomUUID()));
    }

    @Test
    void poll_ofTooManyWorkersOfOneTenant_isRefusedAndOthersGoOn() throws InterruptedException {
        int share = Limits.defaults().remote().workers() / 10 * 9;
        try (Perdure perdure = Perdure.open("jdbc:sqlite:" + folder.resolve("app.db"));
                HintBoxes boxes = new HintBoxes(new WaitingWorkers(new SystemEnvironment()))) {
            WorkerDesk desk = perdure.desk();
            HintBoxes.Owner known = worker("greedy");
            boxes.poll(known, desk, POLL, Duration.ZERO);
            for (int i = 1; i < share; i++) {
                boxes.poll(worker("greedy"), desk, POLL, Duration.ZERO);
            }

            assertThatExceptionOfType(RefusedException.class)
                    .isThrownBy(() -> boxes.poll(worker("greedy"), desk, POLL, Duration.ZERO))
                    .withMessageContaining("PD-605")
                    .withMessageContaining("tenant greedy has " + share);
            assertThat(boxes.poll(known, desk, POLL, Duration.ZERO)).isNotEqualTo(LOOK);
            assertThat(boxes.poll(worker("modest"), desk, POLL, Duration.ZERO)).isEqualTo(LOOK);

            boxes.forget(known);
            boxes.forget(worker("greedy"));
            assertThat(boxes.find(known)).isEmpty();
        }
    }
}
