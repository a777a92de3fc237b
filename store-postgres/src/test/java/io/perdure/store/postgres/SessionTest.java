package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionTest {
    private static final UUID ID = UUID.fromString("0199aaaa-bbbb-7ccc-8ddd-eeeeffff0001");

    private static FreshDatabase database = new FreshDatabase();

    @BeforeAll
    static void create() {
        database.run("CREATE SCHEMA perdure; CREATE SCHEMA \"user\"; CREATE TABLE \"user\".note (id int, text text)");
    }

    @AfterAll
    static void drop() {
        database.close();
    }

    /** In each way that statements are sent: prepared, and behind a pooler. */
    @ParameterizedTest
    @ValueSource(strings = {"none", "transaction"})
    void valuesComeBackAsTheyWere(String pooler) {
        Instant time = Instant.parse("1969-12-31T23:59:59.999999Z");
        try (Connections connections = Connections.to(database.url("perdure.pooler=" + pooler))) {
            List<Object> values = connections.read(session -> session.first(
                            "SELECT ?::text, ?::bigint, ?::int, ?::smallint, ?::boolean, ?::bigint, ?::uuid, ?::bytea",
                            row -> Arrays.<Object>asList(
                                    row.text(1),
                                    row.integer(2),
                                    row.small(3),
                                    row.small(4),
                                    row.flag(5),
                                    row.time(6),
                                    row.uuid(7),
                                    row.bytes(8)[1]),
                            "ü?'\\",
                            Long.MIN_VALUE,
                            7,
                            (short) -3,
                            true,
                            time,
                            ID,
                            new byte[] {0, -1})
                    .orElseThrow());

            assertThat(values).containsExactly("ü?'\\", Long.MIN_VALUE, 7, -3, true, time, ID, (byte) -1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "transaction"})
    void arraysComeBackAsTheyWere(String pooler) {
        @Nullable UUID[] ids = {ID, null};
        @Nullable String[] texts = {"a,\"b\\", null, "", "NULL"};
        try (Connections connections = Connections.to(database.url("perdure.pooler=" + pooler))) {
            String read = connections.read(session -> session.first(
                            """
                            SELECT concat(?::bigint[], ?::bigint[], ?::int[], ?::smallint[], ?::boolean[]),
                                   ?::text[], ?::uuid[]::text[], ?::uuid[]::text[]""",
                            row -> Arrays.deepToString(
                                    new Object[] {row.text(1), row.texts(2), row.texts(3), row.texts(4)}),
                            new long[] {1, Long.MAX_VALUE},
                            new Long[] {5L},
                            new int[] {-1},
                            new short[] {2, 3},
                            new boolean[] {true, false},
                            texts,
                            ids,
                            new UUID[0])
                    .orElseThrow());

            assertThat(read)
                    .isEqualTo("[{1,9223372036854775807}{5}{-1}{2,3}{t,f}, [a,\"b\\, null, , NULL], [" + ID
                            + ", null], []]");
        }
    }

    @Test
    void nullsComeBackAsNulls() {
        try (Connections connections = Connections.to(database.url())) {
            List<@Nullable Object> values = connections.read(session -> session.first(
                            "SELECT ?::text, ?::bigint, ?::bigint, ?::uuid, ?::text[], ?::int",
                            row -> Arrays.<@Nullable Object>asList(
                                    row.textOrNull(1),
                                    row.integerOrNull(2),
                                    row.timeOrNull(3),
                                    row.uuidOrNull(4),
                                    row.textsOrNull(5),
                                    row.smallOrNull(6)),
                            null,
                            null,
                            null,
                            null,
                            null,
                            null)
                    .orElseThrow());

            assertThat(values).hasSize(6).containsOnlyNulls();
        }
    }

    @Test
    void statementsSpeakToTheConfiguredSchema() {
        try (Connections connections = Connections.to(database.url("perdure.schema=user"))) {
            int inserted = connections.write(
                    session -> session.update("INSERT INTO perdure.note VALUES (?, ?)", 1, "perdure."));
            assertThat(inserted).isEqualTo(1);
            assertThat(connections.<List<String>>read(
                            session -> session.list("SELECT text FROM perdure.note", row -> row.text(1))))
                    .containsExactly("perdure.");
            assertThat(connections.<Long>read(session -> session.number("SELECT count(*) FROM perdure.note")))
                    .isEqualTo(1);
        }
    }

    @Test
    void whatNoColumnHoldsIsAFaultOfOurs() {
        try (Connections connections = Connections.to(database.url())) {
            assertThatThrownBy(() -> connections.read(session -> session.number("SELECT ?", Locale.ROOT)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("java.util.Locale");
            assertThat(connections.<Long>read(session -> session.number("SELECT 1")))
                    .isEqualTo(1);
        }
    }
}
