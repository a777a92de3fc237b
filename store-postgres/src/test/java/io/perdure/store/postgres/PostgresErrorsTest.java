package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import java.net.SocketException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresErrorsTest {
    private static final PostgresUrl URL = PostgresUrl.parse("postgres://me:secret@db/app");

    @ParameterizedTest
    @CsvSource({
        "08000, PD-208, cannot be reached",
        "08001, PD-208, cannot be reached",
        "08006, PD-208, cannot be reached",
        "08P01, PD-208, cannot be reached",
        "57P01, PD-208, cannot be reached",
        "57P02, PD-208, cannot be reached",
        "57P03, PD-208, 'is starting, stopping or recovering'",
        "25P03, PD-208, cannot be reached",
        "28000, PD-208, refused the user or the password",
        "28P01, PD-208, refused the user or the password",
        "3D000, PD-208, does not exist",
        "42501, PD-208, does not allow this role",
        "25006, PD-208, is a standby",
        "53100, PD-204, has no room to grow",
        "53000, PD-205, has no resources left",
        "53200, PD-205, has no resources left",
        "53300, PD-205, has no resources left",
        "40001, PD-205, was held up by others",
        "40P01, PD-205, was held up by others",
        "55P03, PD-205, was held up by others",
        "57014, PD-205, was held up by others",
        "XX001, PD-212, is damaged",
        "XX002, PD-212, is damaged",
        "22021, PD-213, failed",
        "23505, PD-213, failed",
        "42P01, PD-213, lacks a part of the schema",
        "42883, PD-213, lacks a part of the schema",
        "3F000, PD-213, lacks a part of the schema",
        "0A000, PD-213, does not support what was asked",
        "58030, PD-213, failed",
        "XX000, PD-213, failed",
    })
    void everyStateHasItsMeaning(String state, String code, String what) {
        SQLException cause = new SQLException("what Postgres says.", state);

        assertThat(PostgresErrors.of(cause, URL))
                .hasMessageStartingWith(code + " ")
                .hasMessageContaining("The database \"app\" on db:5432 " + what)
                .hasMessageContaining(": what Postgres says (SQLSTATE " + state + ").")
                .hasMessageNotContaining("secret")
                .hasCause(cause);
    }

    @ParameterizedTest
    @ValueSource(strings = {"08000", "08003", "08006", "57P01", "57P02", "25P03", "57P05"})
    void aWriteWithoutAnAnswerIsUnknown(String state) {
        SQLException lost = new SQLException("gone", state);

        assertThat(PostgresErrors.isLost(lost)).isTrue();
        assertThat(PostgresErrors.whileWriting(lost, URL, false).code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({"40P01, PD-205", "57014, PD-205", "53100, PD-204", "25006, PD-208", "23505, PD-213"})
    void aWriteThatTheServerRefusedIsCertain(String state, String code) {
        SQLException refused = new SQLException("no", state);

        assertThat(PostgresErrors.isLost(refused)).isFalse();
        assertThat(PostgresErrors.whileWriting(refused, URL, false)).hasMessageStartingWith(code + " ");
    }

    @Test
    void aBrokenSocketIsALostConnectionWhoeverReportsIt() {
        SQLException lost = new SQLException("wrapped", new SocketException("Connection reset"));

        assertThat(PostgresErrors.isLost(lost)).isTrue();
        assertThat(PostgresErrors.of(lost, URL).code()).isEqualTo(ErrorCode.STORE_UNREACHABLE);
    }

    @Test
    void whatThePoolMetCountsAndNotThatItWaited() {
        SQLException refused = new SQLException("password authentication failed", "28P01");

        assertThat(PostgresErrors.whileWaiting(new SQLTransientConnectionException("timed out", refused), URL, 8, true)
                        .code())
                .isEqualTo(ErrorCode.STORE_UNREACHABLE);
        assertThat(PostgresErrors.whileWaiting(new SQLTransientConnectionException("timed out"), URL, 8, true))
                .hasMessageStartingWith("PD-205 ")
                .hasMessageContaining("has all 8 connections that perdure.connections allows in use");
        assertThat(PostgresErrors.whileWaiting(new SQLTransientConnectionException("timed out"), URL, 3, true))
                .hasMessageStartingWith("PD-205 ")
                .hasMessageContaining("has all 3 of the 8 connections that perdure.connections allows in use");
    }

    @ParameterizedTest
    @CsvSource({
        "28000, refused the user or the password",
        "28P01, refused the user or the password",
        "3D000, does not exist",
        "42501, does not allow this role",
        "42P01, lacks a part of the schema",
        "0A000, does not support what was asked"
    })
    void translate_permanentErrorAtWork_isNotAnOutage(String state, String what) {
        SQLException refused = new SQLException("no", state);

        assertThat(PostgresErrors.atWork(refused, URL, false))
                .hasMessageStartingWith("PD-213 ")
                .hasMessageContaining("The database \"app\" on db:5432 " + what)
                .hasCause(refused);
    }

    @ParameterizedTest
    @CsvSource({"28000, PD-208", "28P01, PD-208", "3D000, PD-208", "42501, PD-213", "42P01, PD-213"})
    void translate_refusedLoginDuringFailover_isAnOutage(String state, String code) {
        assertThat(PostgresErrors.atWork(new SQLException("no", state), URL, true))
                .hasMessageStartingWith(code + " ");
    }

    @ParameterizedTest
    @CsvSource({"25006, true", "57P01, true", "08006, true", "40P01, false", "42501, false"})
    void endsSessions_ofReadOnlyServer_isTrue(String state, boolean ends) {
        assertThat(PostgresErrors.endsSessions(new SQLException("no", state))).isEqualTo(ends);
    }

    @ParameterizedTest
    @CsvSource({
        "22001, true",
        "22P05, true",
        "23505, true",
        "54000, true",
        "40P01, false",
        "08006, false",
        "42P01, false",
        "'', false"
    })
    void someAreAboutValues(String state, boolean aboutValues) {
        assertThat(PostgresErrors.isAboutValues(new SQLException("no", state))).isEqualTo(aboutValues);
    }

    @Test
    void anErrorWithoutAStateIsAFailure() {
        assertThat(PostgresErrors.of(new SQLException("odd"), URL))
                .hasMessageStartingWith("PD-213 ")
                .hasMessageContaining(": odd.");
    }
}
