package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.server.OtlpHeaders;
import io.perdure.server.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The table of settings in the reference tells what the server takes. */
class SettingsPageTest {
    private static final String STORE = "jdbc:sqlite:app.db";

    /** A row of the table, without its markup. */
    private record Row(String flag, String variable, String key, String byDefault) {
        static Row of(String line) {
            List<String> cells = Arrays.stream(line.replace("`", "").split("\\|", -1))
                    .map(String::strip)
                    .toList();
            return new Row(cells.get(1), cells.get(2), cells.get(3), cells.get(4));
        }
    }

    private static List<Row> rows() throws IOException {
        return Files.readAllLines(Path.of("../docs/reference/server.md")).stream()
                .filter(line -> line.startsWith("| `--"))
                .map(Row::of)
                .toList();
    }

    private static Row row(Setting setting) throws IOException {
        return rows().stream()
                .filter(row -> row.key().equals(setting.key()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("There is no row for " + setting.key()));
    }

    @Test
    void everySettingHasItsRowAndNoRowIsLeftOver() throws IOException {
        assertThat(rows()).hasSize(Setting.values().length + 1);
        assertThat(rows().getLast()).isEqualTo(new Row("--config FILE", "PERDURE_CONFIG", "", "none"));
    }

    @ParameterizedTest
    @EnumSource(Setting.class)
    void theRowOfAKeyHasItsFlagAndVariable(Setting setting) throws IOException {
        Row row = row(setting);

        assertThat(row.flag()).isEqualTo(flag(setting));
        assertThat(row.variable()).isEqualTo(setting.variable());
    }

    private static String flag(Setting setting) {
        OptionSpec option = new CommandLine(new ServerOption()).getCommandSpec().findOption("--" + setting.key());
        assertThat(option).as("--" + setting.key()).isNotNull();
        return option.longestName() + (option.arity().max() == 0 ? "" : " " + option.paramLabel());
    }

    @ParameterizedTest
    @EnumSource(Setting.class)
    void whatIsThereByDefaultIsWhatCountsWhereNobodySaysAnything(Setting setting) throws IOException {
        String text = row(setting).byDefault();

        switch (setting) {
            case STORE -> assertThat(text).isEqualTo(StoreOption.DEFAULT + "; for dev, " + DevCommand.DEFAULT_STORE);
            case TLS_CERTIFICATE, TLS_KEY -> {
                assertThat(text).isEqualTo("none");
                assertThat(ServerOptions.of(STORE).tls()).isNull();
            }
            case LOG_FORMAT, LOG_LEVEL ->
                assertThat(Settings.of(Map.of(setting, text), Map.of(), null).log())
                        .isEqualTo(LogOptions.DEFAULTS);
            case OTLP_ENDPOINT ->
                assertThat(Settings.of(Map.of(Setting.OTLP_ENABLED, "true"), Map.of(), null)
                                .options(STORE)
                                .otlpEndpoint())
                        .hasToString(text);
            case OTLP_HEADERS -> {
                assertThat(text).isEqualTo("none");
                assertThat(ServerOptions.of(STORE).otlpHeaders()).isEqualTo(OtlpHeaders.NONE);
            }
            // Whoever asks for the default gets what whoever asks for nothing does.
            case HOST,
                    PORT,
                    BEHIND_PROXY,
                    DRAIN,
                    MAX_BODY_BYTES,
                    MAX_WAITING,
                    MAX_REQUESTS,
                    MAX_RETENTION_DAYS,
                    MAX_RUN_EVENTS,
                    MAX_RUN_BYTES,
                    SWEEPER_INTERVAL_MS,
                    OTLP_ENABLED ->
                assertThat(Settings.of(Map.of(setting, text.replaceFirst(" \\(.*\\)", "")), Map.of(), null)
                                .options(STORE))
                        .isEqualTo(ServerOptions.of(STORE));
        }
    }
}
