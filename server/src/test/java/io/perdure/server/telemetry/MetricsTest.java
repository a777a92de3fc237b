package io.perdure.server.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.key.Role;
import io.perdure.server.http.Release;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a scrape shows, and that the page, the dashboard and the alerts speak of nothing else. */
class MetricsTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z_]+)(?:\\{([a-z, ]+)\\})?` \\| (\\w+) \\|");

    @TempDir
    static Path folder;

    private static Watched watched;

    @BeforeAll
    static void watch() throws InterruptedException {
        watched = new Watched(folder);
    }

    @AfterAll
    static void close() {
        watched.close();
    }

    /** The names and labels are a promise: dashboards of users rest on them. */
    @Test
    void theFiguresOfWorkflowsHaveTheirNamesAndLabels() {
        Scraped scraped = watched.scrape();
        assertThat(scraped.labels())
                .containsEntry("workflow_runs_started_total", Set.of("workflow"))
                .containsEntry("workflow_runs_completed_total", Set.of("workflow", "status"))
                .containsEntry("workflow_runs_in_flight", Set.of("workflow"))
                .containsEntry("workflow_run_duration_seconds_bucket", Set.of("workflow", "le"))
                .containsEntry("workflow_run_duration_seconds_count", Set.of("workflow"))
                .containsEntry("workflow_step_duration_seconds_bucket", Set.of("workflow", "step", "le"))
                .containsEntry("workflow_step_retries_total", Set.of("workflow", "step"))
                .containsEntry("workflow_signals_total", Set.of("workflow", "event"))
                .containsEntry("workflow_retention_swept_total", Set.of());
        assertThat(scraped.types())
                .containsEntry("workflow_run_duration_seconds", "histogram")
                .containsEntry("workflow_step_duration_seconds", "histogram")
                .containsEntry("workflow_runs_in_flight", "gauge");
    }

    @Test
    void theyAreWhatHappened() {
        Scraped scraped = watched.scrape();
        assertThat(scraped.value("workflow_runs_started_total{workflow=\"charges\"}"))
                .isEqualTo(1);
        assertThat(scraped.value("workflow_runs_completed_total{status=\"completed\",workflow=\"charges\"}"))
                .isEqualTo(1);
        assertThat(scraped.value("workflow_step_duration_seconds_count{step=\"charge-#\",workflow=\"charges\"}"))
                .isEqualTo(3);
        assertThat(scraped.value("workflow_step_retries_total{step=\"charge-#\",workflow=\"charges\"}"))
                .isEqualTo(1);
        assertThat(scraped.value("workflow_signals_total{event=\"paid\",workflow=\"charges\"}"))
                .isEqualTo(1);
        assertThat(scraped.value("workflow_runs_in_flight{workflow=\"idle\"}")).isEqualTo(1);
        assertThat(scraped.value("perdure_runs_parked{workflow=\"parking\"}")).isEqualTo(1);
        // All of its runs have ended, which is a figure, too.
        assertThat(scraped.value("workflow_runs_in_flight{workflow=\"charges\"}"))
                .isZero();
        assertThat(scraped.value("perdure_runs_parked{workflow=\"charges\"}")).isZero();
        assertThat(scraped.value("perdure_queue_messages{queue=\"mail\",state=\"ready\"}"))
                .isEqualTo(1);
        assertThat(scraped.value("perdure_queue_oldest_age_seconds{queue=\"mail\"}"))
                .isPositive();
        assertThat(scraped.value("perdure_ledger_batch_commits_count")).isPositive();
        assertThat(List.of("lookup", "meter", "span"))
                .allSatisfy(what -> assertThat(scraped.value("perdure_telemetry_dropped_total{what=\"" + what + "\"}"))
                        .isZero());
    }

    @Test
    void requestsAreCountedByOperationAndStatusWhateverTheirAddress() throws InterruptedException {
        for (String path : List.of("/v1/nothing", "/v1/nothing/else", "/v1/queues/absent", "/v1/queues/mail")) {
            watched.get(path);
        }
        // A request is counted once its answer is sent.
        Scraped scraped = watched.scrapeUntil(
                scrape -> scrape.value("perdure_http_request_seconds_count{operation=\"getQueue\"}") == 2
                        && scrape.value("perdure_http_request_seconds_count{operation=\"none\"}") == 2);
        assertThat(scraped.value("perdure_http_requests_total{operation=\"getQueue\",status=\"200\"}"))
                .isEqualTo(1);
        assertThat(scraped.value("perdure_http_requests_total{operation=\"getQueue\",status=\"404\"}"))
                .isEqualTo(1);
        assertThat(scraped.value("perdure_http_requests_total{operation=\"none\",status=\"404\"}"))
                .isEqualTo(2);
        assertThat(scraped.values()).containsKeys("perdure_http_requests_under_way", "perdure_http_requests_waiting");
        assertThat(scraped.value("perdure_build_info{version=\"" + Release.running() + "\"}"))
                .isEqualTo(1);
    }

    @Test
    void whoIsRefusedAndWhoWaitsIsSeen() throws InterruptedException {
        Path other = folder.resolve("busy");
        assertThat(other.toFile().mkdir()).isTrue();
        try (Watched busy = new Watched(other, options -> options.maxWaiting(1))) {
            busy.later("/v1/runs/" + busy.idle + "/result?wait=60");
            busy.scrapeUntil(scrape -> scrape.value("perdure_http_requests_waiting") == 1);

            busy.get("/v1/runs/" + busy.idle + "/result?wait=60");

            busy.scrapeUntil(
                    scrape -> scrape.value("perdure_http_requests_total{operation=\"getResult\",status=\"429\"}") == 1);
        }
    }

    @Test
    void thePageHasEveryFigureAndNoOther() throws IOException {
        Matcher row = ROW.matcher(Files.readString(DOCS.resolve("reference/metrics.md")));
        Map<String, String> documented = new TreeMap<>();
        while (row.find()) {
            String labels = row.group(2) == null ? "" : row.group(2);
            documented.put(row.group(1), row.group(3) + " " + new TreeSet<>(Set.of(labels.split(", *"))));
        }
        Scraped scraped = watched.scrape();
        Map<String, String> shown = new TreeMap<>();
        scraped.types().forEach((family, type) -> {
            boolean ours = family.startsWith("workflow_") || family.startsWith("perdure_");
            // The largest of late, which the library shows beside each histogram.
            if (ours && !family.endsWith("_max")) {
                String series = type.equals("histogram") ? family + "_count" : family;
                shown.put(family, type + " " + orNone(scraped.labels().getOrDefault(series, Set.of())));
            }
        });
        assertThat(documented).isEqualTo(shown);
    }

    private static Set<String> orNone(Set<String> labels) {
        return labels.isEmpty() ? Set.of("") : labels;
    }

    @Test
    void everyQueryOfTheDashboardAsksForWhatThereIs() throws IOException {
        assertThat(Queries.ofDashboard(DOCS.resolve("monitoring/dashboard.json")))
                .hasSizeGreaterThan(15)
                .allSatisfy(query -> assertThat(query.faults(watched.scrape())).isEmpty());
    }

    @Test
    void theDashboardShowsEveryFigure() throws IOException {
        String dashboard = Files.readString(DOCS.resolve("monitoring/dashboard.json"));
        assertThat(watched.scrape().types().keySet())
                .filteredOn(family -> family.startsWith("workflow_") || family.startsWith("perdure_"))
                .filteredOn(family -> !family.endsWith("_max"))
                .allSatisfy(family -> assertThat(dashboard).contains(family));
    }

    @Test
    void everyAlertAsksForWhatThereIs() throws IOException {
        assertThat(Queries.ofRules(DOCS.resolve("monitoring/alerts.yml")))
                .hasSizeGreaterThan(6)
                .allSatisfy(query -> assertThat(query.faults(watched.scrape())).isEmpty());
    }

    @Test
    void aQueryForWhatThereIsNotIsNoticed() {
        Scraped scraped = watched.scrape();
        assertThat(new Query("sum(rate(workflow_runs_finished_total[5m]))").faults(scraped))
                .containsExactly("workflow_runs_finished_total is not shown");
        assertThat(new Query("workflow_runs_completed_total{status=\"faild\"}").faults(scraped))
                .containsExactly("no workflow_runs_completed_total is as status=\"faild\" asks");
        assertThat(new Query("workflow_runs_in_flight{tenant=\"a\"}").faults(scraped))
                .containsExactly("workflow_runs_in_flight has no label tenant");
        assertThat(new Query("sum by (step) (rate(workflow_signals_total[5m]))").faults(scraped))
                .containsExactly("nothing in it has a label step");
    }

    @Test
    void aQueryThatItsSeriesCannotAnswerIsNoticed() {
        Scraped scraped = watched.scrape();
        assertThat(new Query("rate(workflow_runs_in_flight[5m])").faults(scraped))
                .containsExactly("workflow_runs_in_flight is not counted up, and has no rate");
        assertThat(new Query("increase(perdure_ledger_flush_seconds_max[5m])").faults(scraped))
                .containsExactly("perdure_ledger_flush_seconds_max is not counted up, and has no increase");
        assertThat(new Query("sum(rate(workflow_signals_total{event=\"go\"}))").faults(scraped))
                .containsExactly("rate of workflow_signals_total says no time");
        assertThat(new Query("rate(sum(workflow_signals_total)[5m])").faults(scraped))
                .contains("a rate is of one series and nothing else");
        assertThat(new Query("max(perdure_workers[5m])").faults(scraped)).containsExactly("a time belongs to a rate");
        assertThat(new Query("histogram_quantile(0.9, sum(rate(perdure_ledger_flush_seconds_bucket[5m])))")
                        .faults(scraped))
                .containsExactly("a quantile needs the label le");
        assertThat(new Query("histogram_quantile(0.9, sum by (call) (rate(perdure_store_latency_seconds_bucket[5m])))")
                        .faults(scraped))
                .containsExactly("a quantile needs the label le");
        assertThat(new Query("histogram_quantile(0.9, rate(perdure_ledger_flush_seconds_count[5m]))").faults(scraped))
                .containsExactly("a quantile is of buckets");
        assertThat(new Query("histogram_quantile(0.9, rate(perdure_ledger_flush_seconds_bucket[5m]))").faults(scraped))
                .isEmpty();
    }

    /** One Prometheus may scrape more than one installation, of which each is a job. */
    @Test
    void noInstallationHidesInAnother() throws IOException {
        assertThat(Queries.ofRules(DOCS.resolve("monitoring/alerts.yml")))
                .allSatisfy(query -> assertThat(query.mergesJobs()).isFalse());
        assertThat(Queries.ofDashboard(DOCS.resolve("monitoring/dashboard.json")))
                .allSatisfy(query -> assertThat(query.mergesJobs()).isFalse());
        assertThat(new Query("max(perdure_workers) == 0").mergesJobs()).isTrue();
        assertThat(new Query("sum by (workflow) (max by (job, workflow) (perdure_runs_parked))").mergesJobs())
                .isTrue();
        assertThat(new Query("max(perdure_workers{job=~\"a\"}) + max(perdure_workers)").mergesJobs())
                .isTrue();
    }

    @Test
    void scrapesAtTheSameTimeAllSucceed() throws Exception {
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Scraped>> scrapes = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                scrapes.add(callers.submit(watched::scrape));
            }
            for (Future<Scraped> scrape : scrapes) {
                assertThat(scrape.get().value("workflow_runs_in_flight{workflow=\"idle\"}"))
                        .isEqualTo(1);
            }
        }
    }

    /** The figures are of everybody: neither another role nor an administrator of another tenant sees them. */
    @Test
    void onceThereAreKeysOnlyMonitorsOfTheOwnTenantSeeThem() throws InterruptedException {
        Path other = folder.resolve("keys");
        assertThat(other.toFile().mkdir()).isTrue();
        try (Watched guarded = new Watched(other)) {
            var keys = guarded.server.engine().keys();
            String monitor =
                    keys.create(TenantId.DEFAULT, "m", Role.MONITOR, null).token();
            String client =
                    keys.create(TenantId.DEFAULT, "c", Role.CLIENT, null).token();
            String stranger =
                    keys.create(new TenantId("acme"), "s", Role.ADMIN, null).token();
            assertThat(guarded.metrics(monitor).statusCode()).isEqualTo(200);
            assertThat(guarded.metrics(null).statusCode()).isEqualTo(401);
            for (String refused : Set.of(client, stranger)) {
                HttpResponse<String> answer = guarded.metrics(refused);
                assertThat(answer.statusCode()).isEqualTo(403);
                assertThat(answer.body()).contains("PD-602");
            }
        }
    }
}
