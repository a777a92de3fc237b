package io.perdure.server.telemetry;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.server.PerdureServer;
import io.perdure.server.ServerOptions;
import io.perdure.server.worker.Waiting;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A server at which everything has happened once that there is a figure of. */
final class Watched implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** What the tests find. Runs are counted after their result is there, and gauges are read by a thread of their own, so a scrape may come before them. */
    private static final Map<String, Integer> SETTLED = Map.ofEntries(
            Map.entry("workflow_runs_completed_total{status=\"failed\",workflow=\"failing\"}", 1),
            Map.entry("workflow_runs_completed_total{status=\"completed\",workflow=\"charges\"}", 1),
            Map.entry("workflow_runs_completed_total{status=\"cancelled\",workflow=\"idle\"}", 1),
            Map.entry("workflow_run_duration_seconds_count{workflow=\"charges\"}", 1),
            Map.entry("workflow_step_duration_seconds_count{step=\"charge-#\",workflow=\"charges\"}", 3),
            Map.entry("workflow_step_retries_total{step=\"charge-#\",workflow=\"charges\"}", 1),
            Map.entry("workflow_signals_total{event=\"paid\",workflow=\"charges\"}", 1),
            Map.entry("workflow_signals_total{event=\"go\",workflow=\"idle\"}", 1),
            Map.entry("workflow_runs_in_flight{workflow=\"charges\"}", 0),
            Map.entry("workflow_runs_in_flight{workflow=\"idle\"}", 1),
            Map.entry("perdure_runs_parked{workflow=\"parking\"}", 1),
            Map.entry("perdure_queue_messages{queue=\"mail\",state=\"ready\"}", 1));

    final PerdureServer server;
    final RunId idle;
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<CompletableFuture<?>> unheeded = new ArrayList<>();

    Watched(Path folder) throws InterruptedException {
        this(folder, UnaryOperator.identity());
    }

    Watched(Path folder, UnaryOperator<ServerOptions> bent) throws InterruptedException {
        server = PerdureServer.start(bent.apply(
                ServerOptions.of("jdbc:sqlite:" + folder.resolve("store.db")).port(0)));
        Workflow<Integer, Integer> charges = Workflow.named("charges")
                .run(Integer.class, Integer.class, (ctx, many) -> {
                    for (int i = 0; i < many; i++) {
                        int number = i;
                        ctx.step(
                                "charge-" + i,
                                () -> {
                                    if (number == 0 && ctx.attempt().number() == 1) {
                                        throw new IllegalStateException("once");
                                    }
                                },
                                Retry.fixed(2, Duration.ofMillis(1)));
                    }
                    return ctx.waitForEvent("paid", Integer.class);
                });
        Workflow<String, String> parking = Workflow.named("parking").run(String.class, String.class, (ctx, _) -> {
            ctx.step("twice", () -> {});
            ctx.step("twice", () -> {});
            return "never";
        });
        Workflow<String, String> failing = Workflow.named("failing").run(String.class, String.class, (_, _) -> {
            throw new IllegalStateException("as it should");
        });
        server.engine().register(charges).register(parking).register(failing).start();
        Run<String> failed = server.engine().start(failing, "");
        Waiting.until(() -> failed.status().word().equals("failed"));
        Run<Integer> run = server.engine().start(charges, 3);
        server.engine().signal(run.id(), "paid", 42);
        run.result(PATIENCE);
        Run<String> parked = server.engine().start(parking, "");
        Waiting.until(() -> parked.status().word().equals("parked"));
        idle = server.engine()
                .start("idle", Json.of("1"), StartOptions.defaults())
                .id();
        RunId cancelled = server.engine()
                .start("idle", Json.of("1"), StartOptions.defaults())
                .id();
        server.engine().cancel(cancelled, "not wanted");
        server.engine().signal(idle, "go", "on");
        MessageQueue mail = server.engine().createQueue("mail");
        mail.send(Json.of("1"));
        server.engine().reject(mail.receive().getFirst().receipt(), "as it should");
        mail.send(Json.of("2"));
        scrapeUntil(scrape ->
                SETTLED.entrySet().stream().allMatch(series -> scrape.value(series.getKey()) == series.getValue()));
        scrapeUntil(scrape -> scrape.value("perdure_queue_oldest_age_seconds{queue=\"mail\"}") > 0);
    }

    Scraped scrape() {
        HttpResponse<String> answer = metrics(null);
        if (answer.statusCode() != 200) {
            throw new AssertionError(answer.body());
        }
        return Scraped.parse(answer.body());
    }

    /** Scrapes until a scrape is as it should be. */
    Scraped scrapeUntil(Predicate<Scraped> holds) throws InterruptedException {
        AtomicReference<Scraped> last = new AtomicReference<>(scrape());
        Waiting.until(() -> {
            last.set(scrape());
            return holds.test(last.get());
        });
        return last.get();
    }

    /** Asks for something, whatever the answer. */
    void get(String path) {
        send(request(path));
    }

    /** The same without waiting for it. */
    void later(String path) {
        unheeded.add(http.sendAsync(request(path).build(), HttpResponse.BodyHandlers.discarding()));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server.url() + path));
    }

    HttpResponse<String> metrics(@Nullable String key) {
        HttpRequest.Builder request = request("/metrics");
        if (key != null) {
            request.header("Authorization", "Bearer " + key);
        }
        return send(request);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        unheeded.forEach(answer -> answer.cancel(true));
        http.shutdownNow();
        server.close();
    }
}
