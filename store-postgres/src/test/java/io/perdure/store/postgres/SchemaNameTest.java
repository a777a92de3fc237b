package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaNameTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "SELECT 1 FROM perdure.message | SELECT 1 FROM \"user\".message",
                "(perdure.a,perdure.b) | (\"user\".a,\"user\".b)",
                "to_regclass('perdure.message') | to_regclass('user.message')",
                "SELECT 'io.perdure.core', x.perdure.y | SELECT 'io.perdure.core', x.perdure.y",
                "perdure_x.a + my_perdure.b | perdure_x.a + my_perdure.b",
                "SELECT perdure | SELECT perdure",
            })
    void aStatementSpeaksOfTheSchemaThatIsConfigured(String written, String sent) {
        SchemaName schema = new SchemaName("user");

        assertThat(schema.in(written)).isEqualTo(sent);
        assertThat(schema.in(written)).isSameAs(schema.in(written));
        assertThat(new SchemaName("perdure").in(written)).isSameAs(written);
    }

    @Test
    void inAScriptEveryWordIsTheSchema() {
        assertThat(new SchemaName("jobs")
                        .inScript("CREATE SCHEMA perdure; SET search_path = perdure, pg_temp; -- Perdure"))
                .isEqualTo("CREATE SCHEMA \"jobs\"; SET search_path = \"jobs\", pg_temp; -- Perdure");
        assertThat(new SchemaName("jobs").inScript("WHERE nspname = 'perdure'")).isEqualTo("WHERE nspname = 'jobs'");
    }
}
