package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.id.RunId;
import io.perdure.server.Asking.Answer;
import io.perdure.server.Asking.Request;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Asking over HTTP for the result of a parked run. */
class ParkedResultTest {
    @TempDir
    private Path directory;

    private Served served;

    @BeforeEach
    void serve() {
        served = new Served(
                ServerOptions.of("jdbc:sqlite:" + directory.resolve("store.db")).port(0));
    }

    @AfterEach
    void close() {
        served.close();
    }

    private Request result(RunId run, String query) {
        return new Request("GET", "/v1/runs/" + run + "/result?" + query).key(served.client);
    }

    /** An answer that is held back for its 60 s fails the test. */
    @Test
    @Timeout(50)
    void getResult_ofAParkedRun_answersAtOnceWithTheReason() {
        RunId run = served.restingRun("parking");

        for (String query : new String[] {"wait=0", "wait=60", "wait=60&parked=stop"}) {
            Answer answer = served.asking.ask(result(run, query));
            assertThat(answer.status()).isEqualTo(202);
            assertThat(answer.json().path("status").asString()).isEqualTo("parked");
            assertThat(answer.json().path("error").path("type").asString()).isEqualTo("PD-501");
            assertThat(answer.json().path("error").path("message").asString()).startsWith("PD-501 ");
        }
    }

    @Test
    void getResult_withParkedWait_waitsUntilTheRunHasEnded() {
        RunId run = served.restingRun("parking");
        CompletableFuture<Answer> later = served.asking.later(result(run, "wait=60&parked=wait"));
        Served.until(() -> waiting() == 1);

        served.engine().cancel(run, "not wanted");

        Answer answer = later.join();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("status").asString()).isEqualTo("cancelled");
    }

    private int waiting() {
        String metrics = served.asking
                .ask(new Request("GET", "/metrics").key(served.admin))
                .body();
        return metrics.lines()
                .filter(line -> line.startsWith("perdure_http_requests_waiting"))
                .mapToInt(line -> (int) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    @Test
    void getResult_withAnotherWordForParked_isRefused() {
        Answer answer = served.asking.ask(result(served.idleRun(), "parked=never"));

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.code()).isEqualTo("PD-609");
        assertThat(answer.json().path("field").asString()).isEqualTo("parked");
    }
}
