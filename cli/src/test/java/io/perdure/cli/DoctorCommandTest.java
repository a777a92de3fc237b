package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.core.store.Finding;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.key.Role;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.Receiving;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.server.PerdureServer;
import io.perdure.server.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(120)
class DoctorCommandTest {
    private static final SystemEnvironment ENVIRONMENT = new SystemEnvironment();

    private static final Workflow<Json, String> BROKEN = Workflow.named("broken")
            .run(Json.class, String.class, (_, _) -> {
                throw new AssertionError("not like this");
            });

    @TempDir
    Path folder;

    private Path file = Path.of("");
    private String store = "";

    @BeforeEach
    void chooseStore() {
        file = folder.resolve("app.db");
        store = "jdbc:sqlite:" + file;
    }

    private Invocation doctor(Map<String, String> environment, String... args) {
        String[] all = new String[args.length + 3];
        all[0] = "doctor";
        all[1] = "--store";
        all[2] = store;
        System.arraycopy(args, 0, all, 3, args.length);
        return Invocation.in(environment, all);
    }

    private static void assertHas(Invocation doctor, String level, String about, String text) {
        assertThat(doctor.out())
                .as(doctor.err())
                .containsPattern("(?m)^  %s +%s +.*%s".formatted(level, about, Pattern.quote(text)));
    }

    private void make() {
        Perdure.open(store).close();
    }

    private long number(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(store);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            return result.getLong(1);
        }
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(store);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void whereAllIsWellTheExitCodeIsNought() {
        make();

        Invocation doctor = doctor(Map.of());

        assertThat(doctor.exitCode()).as(doctor.out() + doctor.err()).isZero();
        assertThat(doctor.err()).isEmpty();
        assertThat(doctor.out()).doesNotContain("problem ").containsPattern("\nProblems: 0\\. Warnings: \\d+\\.\n$");
        assertHas(doctor, "ok", "java", Runtime.version().toString());
        assertHas(doctor, "ok", "schema", "as the migrations made it");
        assertHas(doctor, "ok", "exposure", "Only this machine");
    }

    @Test
    void programsReadJson() {
        Invocation doctor = doctor(Map.of(), "--format", "json");

        assertThat(doctor.exitCode()).isEqualTo(1);
        JsonNode json = JsonMapper.shared().readTree(doctor.out());
        assertThat(json.propertyNames()).containsExactly("problems", "warnings", "findings");
        assertThat(json.get("problems").asInt()).isEqualTo(1);
        assertThat(json.get("findings").valueStream())
                .filteredOn(finding -> finding.get("level").asString().equals("problem"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.propertyNames())
                        .containsExactly("section", "level", "about", "found", "advice"))
                .satisfies(
                        finding -> assertThat(finding.get("about").asString()).isEqualTo("file"));
    }

    @Test
    void aStoreThatIsNotThereIsAProblemAndIsNotMade() throws IOException {
        Invocation doctor = doctor(Map.of());

        assertThat(doctor.exitCode()).isEqualTo(1);
        assertThat(doctor.err()).startsWith("PD-906 There is a problem. ").hasLineCount(1);
        assertHas(doctor, "problem", "file", "There is no file " + file);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void anOlderStoreIsNotMigratedForALook() throws SQLException {
        make();
        run("PRAGMA user_version = 0");

        Invocation doctor = doctor(Map.of());

        assertThat(doctor.exitCode()).isZero();
        assertHas(doctor, "warning", "schema", "It has version 0");
        assertHas(doctor, "warning", "work", "Not looked at");
        assertThat(number("PRAGMA user_version")).isZero();
    }

    @Test
    void aUrlOfNoStoreIsWrongUsage() {
        Invocation file = Invocation.of("doctor", "--store", "app.db");
        assertThat(file.err()).startsWith("PD-210 ").hasLineCount(1);
        assertThat(file.exitCode()).isEqualTo(2);
        assertThat(Invocation.of("doctor", "--server", "nonsense").err()).startsWith("PD-901 ");
        assertThat(Invocation.of("doctor", "--store", store, "--server", "http://x")
                        .exitCode())
                .isEqualTo(2);
    }

    @Test
    void everySettingThatIsWrongIsNamed() throws IOException {
        make();
        Path settings = Files.write(folder.resolve("server.properties"), List.of("prot = 1", "drain = soon"));

        Invocation doctor = doctor(
                Map.of("PERDURE_HOTS", "x", "WORKFLOWS_X", "1", "PERDURE_PORT", "70000", "PERDURE_TLS_KEY", "k.pem"),
                "--config",
                settings.toString());

        assertThat(doctor.exitCode()).isEqualTo(1);
        assertHas(doctor, "problem", "settings", "Variable PERDURE_HOTS is not known. Did you mean PERDURE_HOST?");
        assertHas(doctor, "problem", "settings", "Variable WORKFLOWS_X is not known.");
        assertHas(doctor, "problem", "settings", "PERDURE_PORT: Setting \"port\" cannot be taken: 70000");
        assertHas(doctor, "problem", "settings", "Setting \"prot\" in " + settings);
        assertHas(doctor, "problem", "settings", "\"drain\" in " + settings);
        assertHas(doctor, "problem", "settings", "tls-certificate and tls-key go together");
        assertHas(doctor, "ok", "schema", "as the migrations made it");
    }

    @Test
    void aCertificateThatAServerWouldRefuseIsAProblem() throws IOException {
        make();
        Path noKey = Files.writeString(folder.resolve("key.pem"), "no key");
        Map<String, String> absent =
                Map.of("PERDURE_TLS_CERTIFICATE", "absent.pem", "PERDURE_TLS_KEY", noKey.toString());
        assertHas(doctor(absent), "problem", "settings", "absent.pem cannot be read");

        Map<String, String> unfit =
                Map.of("PERDURE_TLS_CERTIFICATE", noKey.toString(), "PERDURE_TLS_KEY", noKey.toString());
        assertHas(doctor(unfit), "problem", "settings", "are no certificate and its private key in PEM");
    }

    @Test
    void theStoreIsAlsoTakenFromTheFile() throws IOException {
        make();
        Path settings = Files.write(folder.resolve("server.properties"), List.of("store = " + store));

        Invocation doctor = Invocation.in(Map.of("PERDURE_CONFIG", settings.toString()), "doctor");

        assertThat(doctor.exitCode()).isZero();
        assertThat(doctor.out()).contains("Store " + store);
        assertHas(doctor, "ok", "settings", "Each can be taken: \"store\" in " + settings);
    }

    @Test
    void aServerThatOthersCouldReachIsAProblem() {
        make();
        Map<String, String> open = Map.of("PERDURE_HOST", "0.0.0.0");
        assertHas(doctor(open), "problem", "exposure", "there is no key yet");

        try (Perdure perdure = Perdure.open(store)) {
            perdure.keys().create(TenantId.DEFAULT, "ops", Role.ADMIN, null);
        }
        assertHas(doctor(open), "problem", "exposure", "there is neither TLS nor a proxy");
        Invocation proxied = doctor(Map.of("PERDURE_HOST", "0.0.0.0", "PERDURE_BEHIND_PROXY", "true"));
        assertHas(proxied, "ok", "exposure", "there is a key, and TLS or a proxy");
        assertThat(proxied.exitCode()).isZero();
    }

    @Test
    void whatNobodyWorksOnIsNamedWithTheCommandToLookFurther() throws InterruptedException {
        try (Perdure perdure = Perdure.open(store).register(BROKEN).start()) {
            Run<String> parked = perdure.start(BROKEN, Json.NULL);
            while (parked.status() != RunStatus.PARKED) {
                ENVIRONMENT.sleep(Duration.ofMillis(5));
            }
            perdure.start("nobodys", Json.NULL, StartOptions.defaults());
            perdure.createQueue("mail", QueueSettings.defaults()).send(Json.NULL);
            perdure.reject(
                    perdure.queue("mail").receive(Receiving.upTo(1)).getFirst().receipt(), "no");
        }

        Invocation doctor = doctor(Map.of());

        assertThat(doctor.exitCode()).as("there is work, and no problem").isZero();
        assertHas(doctor, "warning", "runs", "1 parked");
        assertHas(doctor, "warning", "unserved", "Runs have no worker: 1 of nobodys.");
        assertHas(doctor, "warning", "dead letters", "1 in queue \"mail\".");
        assertThat(doctor.out())
                .contains("Run perdure runs list --status parked --store " + store)
                .contains("Run perdure runs list --waiting --store " + store)
                .contains("Run perdure dlq list mail --store " + store);
    }

    @Test
    void aQueueThatNobodyReceivesFromIsNamed() {
        try (Perdure perdure = Perdure.open(store)) {
            perdure.createQueue("mail").send(Json.NULL);

            assertThat(Workload.of(perdure, perdure.now()).findings(""))
                    .extracting(Finding::level)
                    .containsOnly(Finding.Level.OK);
            assertThat(Workload.of(perdure, perdure.now().plus(Duration.ofHours(2)))
                            .findings(" --server x"))
                    .anyMatch(finding -> finding.found().startsWith("1 ready in queue \"mail\", the oldest since ")
                            && finding.advice().endsWith("Run perdure queue show mail --server x."));
        }
    }

    @Test
    void aServerIsAskedWhatItIsAndWhatTheKeyMayDo() {
        String admin;
        String client;
        String url;
        try (PerdureServer server = PerdureServer.start(ServerOptions.of(store).port(0))) {
            url = server.url().toString();
            Invocation open = Invocation.of("doctor", "--server", url);
            assertThat(open.exitCode()).as(open.out() + open.err()).isZero();
            assertHas(open, "ok", "server", url + " is ready.");
            assertHas(open, "ok", "version", "The server is ");
            assertHas(open, "ok", "key", "None is asked for");
            assertHas(open, "ok", "workers", "None is alive.");

            admin = token(server, Role.ADMIN);
            client = token(server, Role.CLIENT);
            assertHas(Invocation.in(Map.of("PERDURE_KEY", admin), "doctor", "--server", url), "ok", "key", "admin");
            assertHas(Invocation.in(Map.of("PERDURE_KEY", client), "doctor", "--server", url), "ok", "key", "client");
            String worker = token(server, Role.WORKER);
            assertHas(Invocation.in(Map.of("PERDURE_KEY", worker), "doctor", "--server", url), "ok", "key", "worker");
            assertHas(Invocation.of("doctor", "--server", url), "problem", "key", "there is none");
            Invocation wrong = Invocation.in(Map.of("PERDURE_KEY", "pd_wrong"), "doctor", "--server", url);
            assertHas(wrong, "problem", "key", "does not know this key");
            assertThat(wrong.exitCode()).isEqualTo(1);
            assertThat(wrong.out() + wrong.err()).doesNotContain("pd_wrong");
        }
        assertHas(Invocation.of("doctor", "--server", url), "problem", "server", url + " cannot be reached");
    }

    private static String token(PerdureServer server, Role role) {
        return server.engine().keys().create(TenantId.DEFAULT, "k", role, null).token();
    }
}
