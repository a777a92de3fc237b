package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.server.ServerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    private static final String STORE = "jdbc:sqlite:app.db";

    @TempDir
    Path folder;

    private Path file(String... lines) throws IOException {
        return Files.write(folder.resolve("perdure.properties"), List.of(lines));
    }

    private static ServerOptions options(Map<Setting, String> flags, Map<String, String> environment) {
        return Settings.of(flags, environment, null).options(STORE);
    }

    private static void assertRefused(ThrowingCallable call, String... words) {
        assertThatExceptionOfType(InvalidValueException.class).isThrownBy(call).satisfies(thrown -> {
            assertThat(thrown.code()).isEqualTo(ErrorCode.SERVER_SETTINGS);
            assertThat(thrown.what()).contains(words);
        });
    }

    @Test
    void whatNobodySaysIsAsDocumented() {
        assertThat(options(Map.of(), Map.of())).isEqualTo(ServerOptions.of(STORE));
    }

    @Test
    void aFlagComesBeforeAVariableAndThatBeforeTheFile() throws IOException {
        Path file = file("port = 1", "host = ::1", "drain = 1m");
        Map<String, String> environment = Map.of("PERDURE_PORT", "2", "PERDURE_HOST", "127.0.0.2");

        ServerOptions options =
                Settings.of(Map.of(Setting.PORT, "3"), environment, file).options(STORE);

        assertThat(options.port()).isEqualTo(3);
        assertThat(options.host()).isEqualTo("127.0.0.2");
        assertThat(options.drain()).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void spansAreSentWhereThatIsSaidAndNotForAnAddressAlone() {
        String there = "http://collector:4318/x";
        assertThat(options(Map.of(), Map.of("OTLP_ENABLED", "true", "OTLP_ENDPOINT", there))
                        .otlpEndpoint())
                .hasToString(there);
        assertThat(options(Map.of(), Map.of("OTLP_ENDPOINT", there)).otlpEndpoint())
                .isNull();
        assertThat(options(Map.of(), Map.of("OTLP_ENABLED", "false")).otlpEndpoint())
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"collector:4318", "ftp://collector", "no url", "http://"})
    void aCollectorIsReachedByHttpOnly(String endpoint) {
        assertRefused(() -> options(Map.of(), Map.of("OTLP_ENDPOINT", endpoint)), "OTLP_ENDPOINT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"me:s3cret", "s3cret", "me:^s3cret", "me:p@s3cret", "me:%zzs3cret"})
    void aPasswordInTheAddressOfACollectorIsRefusedAndNotShown(String login) {
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> options(Map.of(), Map.of("OTLP_ENDPOINT", "http://" + login + "@collector:4318")))
                .satisfies(thrown ->
                        assertThat(stack(thrown)).contains("OTLP_ENDPOINT").doesNotContain("s3cret"));
    }

    @Test
    void aVariableOfTracesThatIsNotKnownIsRefused() {
        assertRefused(() -> options(Map.of(), Map.of("OTLP_ENABLE", "true")), "Did you mean OTLP_ENABLED?");
        // Kubernetes puts these there, for a Service of that name.
        assertThat(options(Map.of(), Map.of("OTLP_COLLECTOR_SERVICE_HOST", "10.0.0.7"))
                        .otlpEndpoint())
                .isNull();
    }

    @Test
    void theHeadersOfACollectorAreTakenFromTheVariableOrTheFile() throws IOException {
        Map<String, String> sending = Map.of("OTLP_ENABLED", "true", "OTLP_HEADERS", "api-key=s3cret%2C1");
        assertThat(options(Map.of(), sending).otlpHeaders().values()).isEqualTo(Map.of("api-key", "s3cret,1"));
        assertThat(Settings.of(Map.of(Setting.OTLP_ENABLED, "true"), Map.of(), file("otlp-headers = api-key=s3cret"))
                        .options(STORE)
                        .otlpHeaders()
                        .values())
                .isEqualTo(Map.of("api-key", "s3cret"));
        assertRefused(
                () -> Settings.of(Map.of(), Map.of(), file("otlp-header = api-key=s3cret")),
                "Did you mean otlp-headers?");
    }

    @Test
    void whatIsWrongWithAHeaderIsSaidWithoutItsValueByTheStartAndByDoctor() {
        Map<String, String> wrong = Map.of("OTLP_HEADERS", "api-key=s3cret%0A");
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> options(Map.of(), wrong))
                .satisfies(thrown -> assertThat(thrown)
                        .hasStackTraceContaining("OTLP_HEADERS")
                        .hasStackTraceContaining("the value of header 1"))
                .satisfies(thrown -> assertThat(stack(thrown)).doesNotContain("s3cret"));
        for (Map<String, String> given : List.of(wrong, Map.of("OTLP_HEADERS", "api-key=s3cret"))) {
            assertThat(SettingsReview.of(Map.of(), given, null).findings().toString())
                    .contains("OTLP_HEADERS")
                    .doesNotContain("s3cret");
        }
    }

    private static String stack(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @Test
    void theNamesOfTheDocumentsAreKept() {
        ServerOptions options =
                options(Map.of(), Map.of("WORKFLOWS_MAX_RETENTION_DAYS", "7", "WORKFLOWS_SWEEPER_INTERVAL_MS", "1500"));

        assertThat(options.maxRetentionDays()).isEqualTo(7);
        assertThat(options.sweeperInterval()).isEqualTo(Duration.ofMillis(1500));
    }

    @ParameterizedTest
    @EnumSource(Setting.class)
    void everySettingIsAFlagOfTheServer(Setting setting) {
        Invocation help = Invocation.of("server", "--help");

        assertThat(help.out()).contains("--" + setting.key());
    }

    @ParameterizedTest
    @CsvSource({"prot, port", "tls-cert, tls-certificate", "max-retention-day, max-retention-days"})
    void aWrongKeyInTheFileNamesTheNearestRightOne(String wrong, String right) throws IOException {
        Path file = file(wrong + " = 1");

        assertRefused(() -> Settings.of(Map.of(), Map.of(), file), "\"" + wrong + "\"", "Did you mean " + right + "?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"server", "dev"})
    void aFileInPlaceOfAUrlIsAnsweredWithItsUrl(String command) {
        Invocation refused = Invocation.of(command, "--port", "0", "--store", "app.db");

        assertThat(refused.err())
                .startsWith("PD-210 ")
                .contains("Did you mean jdbc:sqlite:app.db?")
                .hasLineCount(1);
        assertThat(refused.exitCode()).isEqualTo(2);
    }

    @Test
    void aWrongVariableNamesTheNearestRightOne() {
        assertRefused(
                () -> options(Map.of(), Map.of("PERDURE_PROT", "1")), "PERDURE_PROT", "Did you mean PERDURE_PORT?");
        assertRefused(
                () -> options(Map.of(), Map.of("WORKFLOWS_MAX_RETENTION_DAY", "1")),
                "Did you mean WORKFLOWS_MAX_RETENTION_DAYS?");
    }

    @Test
    void aWrongValueSaysWhereItCameFrom() throws IOException {
        assertRefused(() -> options(Map.of(Setting.PORT, "high"), Map.of()), "--port", "\"high\"", "whole number");
        assertRefused(() -> options(Map.of(), Map.of("PERDURE_PORT", "99999")), "PERDURE_PORT", "65535");
        assertRefused(
                () -> options(Map.of(Setting.DRAIN, "soon"), Map.of()), "--drain cannot be read: expected a length");
        assertRefused(
                () -> Settings.of(Map.of(), Map.of(), file("behind-proxy = maybe"))
                        .options(STORE),
                "behind-proxy",
                "true or false");
        assertRefused(() -> options(Map.of(Setting.TLS_KEY, "k.pem"), Map.of()), "go together");
        assertRefused(() -> Settings.of(Map.of(), Map.of(), folder.resolve("absent")), "absent");
    }
}
