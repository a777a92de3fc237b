package io.perdure.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A benchmark must not reach the user's own schema, whatever the URL says. */
final class ServerUrlTest {
    private static final ServerUrl URL = ServerUrl.parse("jdbc:postgresql://host:5433/app?user=me&perdure.schema=mine"
            + "&perdure.migrate=check&currentSchema=theirs&perdure.connections=4&password=secret");

    @Test
    void theStoreGetsEverythingButTheUsersSchema() {
        assertThat(URL.store("perdure_bench_1"))
                .isEqualTo("jdbc:postgresql://host:5433/app?user=me&password=secret&perdure.connections=4"
                        + "&perdure.schema=perdure_bench_1");
    }

    @Test
    void theDriverGetsNothingThatIsForPerdure() {
        assertThat(URL.jdbc("perdure_bench_1"))
                .isEqualTo("jdbc:postgresql://host:5433/app?user=me&password=secret&currentSchema=perdure_bench_1");
    }

    @Test
    void aUrlWithoutParametersWillDo() {
        assertThat(ServerUrl.parse("jdbc:postgresql://host/app").jdbc("one"))
                .isEqualTo("jdbc:postgresql://host/app?currentSchema=one");
    }
}
