package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.run.StartOptions;
import io.perdure.server.Asking.Answer;
import io.perdure.server.Asking.Request;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Closes a server while requests wait and others are under way, and sees that all are answered. */
final class ClosingPolls {
    private static final int RUNS = 500;
    private static final RunFilter CANCELLED =
            RunFilter.all().workflow("closing").status(RunStatus.CANCELLED);

    private ClosingPolls() {}

    static void check(PerdureServer server) {
        try (Asking asking = new Asking(server.url())) {
            server.engine().createQueue("closing");
            String run = start(server);
            for (int i = 1; i < RUNS; i++) {
                start(server);
            }
            List<CompletableFuture<Answer>> waiting = List.of(
                    asking.later(new Request("GET", "/v1/runs/" + run + "/result?wait=60")),
                    asking.later(new Request("GET", "/v1/runs/" + run + "/history?wait=30&from=9")),
                    asking.later(new Request("POST", "/v1/queues/closing/receive", "{\"wait\":20}")));
            Served.until(() -> server.waiting() == waiting.size());
            CompletableFuture<Answer> busy =
                    asking.later(new Request("POST", "/v1/workflows/closing/runs/bulk", "{\"action\":\"cancel\"}"));
            // It has begun, and is not over for a while.
            Served.until(() -> server.engine().count(CANCELLED) > 0);

            server.close();

            assertThat(waiting.stream().map(CompletableFuture::join).map(Answer::status))
                    .allMatch(status -> status < 300);
            assertThat(waiting.getLast().join().body()).isEqualTo("{\"messages\":[]}");
            assertThat(busy.join().body()).isEqualTo("{\"matched\":500,\"done\":500,\"missed\":0}");
        }
    }

    private static String start(PerdureServer server) {
        return server.engine()
                .start("closing", Json.of("1"), StartOptions.defaults())
                .id()
                .toString();
    }
}
