package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.json.Json;
import io.perdure.store.postgres.JsonPairs.Pair;
import io.perdure.testkit.Seeds;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Asks Postgres what {@link Json#contains} must answer. The seed decides all pairs: a failure names it, and {@code
 * -Dperdure.seed=<seed>} tries it as well as the fixed ones.
 */
@Timeout(120)
final class ContainmentTest {
    private static final int PAIRS = 20_000;
    private static final int PAIRS_PER_QUERY = 2_000;
    private static final int LEAST_PERCENT = 30;

    private static final String ORACLE = """
            SELECT whole::jsonb @> part::jsonb
            FROM unnest(?::text[], ?::text[]) WITH ORDINALITY AS pair (whole, part, place)
            ORDER BY place""";

    static LongStream seeds() {
        return LongStream.concat(Seeds.asked(), LongStream.of(1, 20_260_301));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void jsonContainsWhatJsonbContains(long seed) throws SQLException {
        JsonPairs pairs = new JsonPairs(seed);
        int contained = 0;
        try (Connection connection = TestPostgres.connect(PostgresUrl.parse(TestPostgres.url()))) {
            for (int done = 0; done < PAIRS; done += PAIRS_PER_QUERY) {
                List<Pair> asked =
                        Stream.generate(pairs::next).limit(PAIRS_PER_QUERY).toList();
                List<Boolean> answers = ask(connection, asked);
                for (int place = 0; place < PAIRS_PER_QUERY; place++) {
                    compare(seed, done + place, asked.get(place), answers.get(place));
                    contained += answers.get(place) ? 1 : 0;
                }
            }
        }
        assertThat(100 * contained / PAIRS)
                .as("percent that contain their part, with seed %s", seed)
                .isBetween(LEAST_PERCENT, 100 - LEAST_PERCENT);
    }

    private static void compare(long seed, int number, Pair pair, boolean expected) {
        assertThat(Json.of(pair.whole()).contains(Json.of(pair.part())))
                .as(
                        "pair %s of seed %s, again with -D%s=%s:%n%s%n@> %s",
                        number, seed, Seeds.PROPERTY, seed, pair.whole(), pair.part())
                .isEqualTo(expected);
    }

    private static List<Boolean> ask(Connection connection, List<Pair> pairs) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(ORACLE)) {
            statement.setArray(1, texts(connection, pairs, Pair::whole));
            statement.setArray(2, texts(connection, pairs, Pair::part));
            List<Boolean> answers = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    answers.add(rows.getBoolean(1));
                }
            }
            return answers;
        }
    }

    private static java.sql.Array texts(Connection connection, List<Pair> pairs, Function<Pair, String> text)
            throws SQLException {
        return connection.createArrayOf("text", pairs.stream().map(text).toArray());
    }
}
