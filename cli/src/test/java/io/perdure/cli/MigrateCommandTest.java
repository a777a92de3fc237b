package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class MigrateCommandTest {
    private static final String POSTGRES = "postgres://me:secret@127.0.0.1:1/app";
    private static final String MIGRATIONS = "0001_first.sql, 0002_leases_and_retirement.sql";

    @TempDir
    private Path folder;

    private String url() {
        return "jdbc:sqlite:" + folder.resolve("app.db");
    }

    private Invocation migrate(String... options) {
        String[] args = new String[options.length + 3];
        args[0] = "migrate";
        System.arraycopy(options, 0, args, 1, options.length);
        args[args.length - 2] = "--store";
        args[args.length - 1] = url();
        return Invocation.of(args);
    }

    @Test
    void itIsDoneOnce() {
        assertThat(migrate()).isEqualTo(new Invocation(0, "Applied " + MIGRATIONS + " to " + url() + ".\n", ""));
        assertThat(migrate()).isEqualTo(new Invocation(0, url() + " is up to date.\n", ""));
    }

    @Test
    void aCheckSaysWhatIsMissingAndChangesNothing() {
        Invocation missing = migrate("--check");

        assertThat(missing.exitCode()).isEqualTo(1);
        assertThat(missing.out()).isEmpty();
        assertThat(missing.err())
                .startsWith("PD-214 " + url() + " lacks " + MIGRATIONS + ". Run `perdure migrate`")
                .hasLineCount(1);
        assertThat(Files.exists(folder.resolve("app.db"))).isFalse();

        migrate();
        assertThat(migrate("--check")).isEqualTo(new Invocation(0, url() + " is up to date.\n", ""));
    }

    @Test
    void whatIsPrintedIsSqlAndChangesNothing() {
        Invocation printed = migrate("--print");

        assertThat(printed.exitCode()).isZero();
        assertThat(printed.out())
                .startsWith("-- 0001_first.sql\n")
                .contains("CREATE TABLE", "PRAGMA user_version = 1;\nCOMMIT;\n", "PRAGMA user_version = 2;\nCOMMIT;\n");
        assertThat(migrate("--print", "--from", "0")).isEqualTo(printed);
        assertThat(Files.exists(folder.resolve("app.db"))).isFalse();

        migrate();
        assertThat(migrate("--print").out()).isEqualTo("-- Nothing is missing.\n");
    }

    @Test
    void programsReadJson() {
        assertThat(json("--check", "--format", "json"))
                .isEqualTo("{\"missing\":[\"" + MIGRATIONS.replace(", ", "\",\"") + "\"]}");
        assertThat(json("--print", "--format", "json")).startsWith("{\"sql\":\"-- 0001_first.sql");
        assertThat(json("--format", "json")).isEqualTo("{\"applied\":2}");
        assertThat(json("--format", "json")).isEqualTo("{\"applied\":0}");
    }

    private String json(String... options) {
        return JsonMapper.shared().readTree(migrate(options).out()).toString();
    }

    @Test
    void sqlForPostgresIsPrintedWithoutAServer() {
        Invocation printed = Invocation.of("migrate", "--print", "--from", "0", "--store", POSTGRES);

        assertThat(printed.exitCode()).isZero();
        assertThat(printed.err()).isEmpty();
        assertThat(printed.out()).contains("CREATE SCHEMA IF NOT EXISTS perdure;", "INSERT INTO perdure.migration");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--check", "--print", "--format=text"})
    void aServerThatIsNotThereIsAnErrorWithoutAPassword(String option) {
        Invocation failed = Invocation.in(Map.of("PERDURE_STORE", POSTGRES), "migrate", option);

        assertThat(failed.exitCode()).isEqualTo(1);
        assertThat(failed.err())
                .startsWith("PD-208 The database \"app\" on 127.0.0.1:1 cannot be reached")
                .doesNotContain("secret")
                .hasLineCount(1);
    }

    @Test
    void aMistypedUrlIsAnErrorWithoutAPassword() {
        Invocation failed = Invocation.of("migrate", "--store", "postgress://me:secret@db/app?password=secret");

        assertThat(failed.exitCode()).isEqualTo(2);
        assertThat(failed.err())
                .startsWith("PD-210 No store opens \"postgress://***@db/app?password=***\".")
                .contains("jdbc:postgresql://<host>/<database>, jdbc:sqlite:<file>");
    }

    @Test
    void wrongUsageIsNamed() {
        assertThat(migrate("--check", "--print").exitCode()).isEqualTo(2);
        assertThat(migrate("--check", "--print").err()).startsWith("PD-901 ").contains("mutually exclusive");
        assertThat(migrate("--from", "0").err()).startsWith("PD-901 --from is for --print only.");
        assertThat(migrate("--print", "--from", "x").err())
                .startsWith("PD-901 ")
                .contains("'x' is not an int");
        assertThat(migrate("--print", "--from", "99").err()).startsWith("PD-007 There is no migration 99");
        assertThat(migrate("--print", "--from", "-1").exitCode()).isEqualTo(2);
        assertThat(Invocation.of("migrate", "--store", "app.db").err())
                .startsWith("PD-210 ")
                .contains("Did you mean jdbc:sqlite:app.db?");
    }
}
