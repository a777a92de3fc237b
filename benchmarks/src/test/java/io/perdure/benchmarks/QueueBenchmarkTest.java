package io.perdure.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.benchmarks.QueueReport.Together;
import io.perdure.postgres.PostgresBinaries;
import io.perdure.postgres.PrivatePostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The workload runs to its end and reports every figure that is promised. How large they are is not a test's business: on a
 * slow machine this short a run may get nothing done. */
@Tag("exhaustive")
final class QueueBenchmarkTest {
    /** Held here, because a logger that nobody holds is forgotten, and its level with it. */
    private static final Logger POOL = Logger.getLogger("com.zaxxer.hikari");

    private static final Pace SHORT = new Pace(1, Duration.ofMillis(100), Duration.ofMillis(200));

    @BeforeAll
    static void dropTheLogOfThePool() {
        POOL.setLevel(Level.OFF);
    }

    @Test
    void everyFigureIsReported(@TempDir Path parent) throws Exception {
        QueueReport report;
        try (Target target = SqliteTarget.in(parent)) {
            report = new QueueBenchmark(target, SHORT, _ -> {}).run(List.of());
        }
        assertThat(report.json())
                .containsKeys(
                        "send_per_s",
                        "send_batch_per_s",
                        "processed_per_s",
                        "unbatched_processed_per_s",
                        "idle_p50_ms",
                        "idle_p99_ms",
                        "rows_per_message",
                        "flushes_per_message",
                        "send_lone_per_s",
                        "consumer_per_s",
                        "groups_1_per_s",
                        "groups_100_per_s",
                        "groups_10000_per_s");
        try (Stream<Path> left = Files.list(parent)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void aDeepQueueIsLookedAtInEveryState(@TempDir Path parent) {
        FiguresReport report;
        try (Target target = SqliteTarget.in(parent)) {
            report = new QueueDepthBenchmark(target, 2_000, _ -> {}).run();
        }
        assertThat(report.json())
                .containsKeys("ready_p50_ms", "delayed_p50_ms", "soon_p50_ms", "leased_p50_ms", "group_p50_ms");
    }

    @Test
    void consumerOptions_measuredInTurns_areReportedWithTheirRatios(@TempDir Path parent) {
        FiguresReport report;
        try (Target target = SqliteTarget.in(parent)) {
            report = new ConsumerBenchmark(target, 200, 1, _ -> {}).run(List.of(0, 100));
        }
        assertThat(report.json())
                .containsKeys(
                        "defaults_per_s", "prefetch_0_per_s", "prefetch_100_per_s", "defaults_beside_prefetch_100");
    }

    @Test
    void postgresIsMeasuredInSchemasOfItsOwn() throws Exception {
        try (PrivatePostgres server = PrivatePostgres.start(PostgresBinaries.bundled(), Map.of())) {
            server.execute("CREATE SCHEMA perdure_bench_1");
            QueueReport report;
            try (Target target = PostgresTarget.at(ServerUrl.parse(server.url()))) {
                report = new QueueBenchmark(target, SHORT, _ -> {}).run(List.of(2));
            }
            assertThat(report.machine()).contains("fsync=on, synchronous_commit=on");
            assertThat(report.together()).extracting(Together::processes).containsExactly(2);
            assertThat(report.rowsPerMessage()).isGreaterThan(1);
            try (Connection connection = DriverManager.getConnection(server.url());
                    Statement statement = connection.createStatement();
                    ResultSet left = statement.executeQuery(
                            "SELECT string_agg(nspname, ' ') FROM pg_namespace WHERE nspname LIKE 'perdure%'")) {
                left.next();
                assertThat(left.getString(1)).isEqualTo("perdure_bench_1");
            }
        }
    }
}
