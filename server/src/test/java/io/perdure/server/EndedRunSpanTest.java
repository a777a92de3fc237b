package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.server.telemetry.Collector;
import io.perdure.server.telemetry.Watching;
import io.perdure.server.worker.Waiting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The span of a run's end is sent by a flush soon after it, not only by the next export that is due or by the server's close. */
class EndedRunSpanTest {
    private static final Duration AN_HOUR = Duration.ofHours(1);

    @Test
    void end_ofARun_sendsItsSpanWhileTheServerRuns(@TempDir Path folder) throws InterruptedException {
        Workflow<String, String> order = Workflow.named("order").run(String.class, String.class, (_, item) -> item);
        ServerOptions options =
                ServerOptions.of("jdbc:sqlite:" + folder.resolve("store.db")).port(0);
        try (Collector collector = new Collector();
                PerdureServer server = PerdureServer.start(options, Watching.of(collector.url(), Map.of(), AN_HOUR))) {
            server.engine().register(order).start();
            Run<String> run = server.engine().start(order, "lamp");
            assertThat(run.result(Duration.ofMinutes(1))).isEqualTo("lamp");

            Waiting.until(() -> collector.hasEnded(run.id()));
        }
    }
}
