package io.perdure.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.core.Perdure;
import io.perdure.postgres.PostgresBinaries;
import io.perdure.postgres.PrivatePostgres;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.StartOptions;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the page on operating Postgres tells people to ask their database can be asked. */
class ShownSqlTest {
    private static final Pattern SQL = Pattern.compile("(?ms)^```sql\\n(.*?)^```");

    @Test
    void everyQueryOfThePageRuns() {
        List<String> queries = SQL.matcher(
                        Checkout.file("docs/guides/operating-postgres.md").text())
                .results()
                .map(block -> block.group(1))
                .toList();

        assertThat(queries).hasSizeGreaterThan(4);
        try (PrivatePostgres postgres =
                        PrivatePostgres.start(PostgresBinaries.bundled(), PrivatePostgres.WITHOUT_DURABILITY);
                Perdure perdure = Perdure.open(postgres.url())) {
            perdure.start("order", Json.of("{}"), StartOptions.defaults());
            queries.forEach(postgres::execute);
            assertThatThrownBy(() -> postgres.execute("SELECT nothing FROM perdure.run"))
                    .isInstanceOf(IllegalStateException.class);
        }
    }
}
