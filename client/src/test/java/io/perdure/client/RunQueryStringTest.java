package io.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.RunFilter;
import java.net.URI;
import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;

/** Filters as URLs. */
class RunQueryStringTest {
    @Test
    void allRunsAreAskedForByNothing() {
        assertThat(new RunQueryString(RunFilter.all()).under("")).isEqualTo("/v1/runs");
    }

    @Test
    void everyPartOfAFilterTravels() {
        RunFilter filter = RunFilter.all()
                .workflow("order")
                .status(RunStatus.FAILED)
                .since(Instant.parse("2026-01-31T12:00:00.5Z"))
                .until(LocalDate.of(2026, 2, 1))
                .tag("b", "2")
                .tag("a", "1")
                .inputField("user.id", Json.number(7))
                .input(Json.of("[1]"));

        assertThat(new RunQueryString(filter).under("/count"))
                .isEqualTo("/v1/workflows/order/runs/count?status=failed&since=2026-01-31T12%3A00%3A00.500Z"
                        + "&until=2026-02-01T00%3A00%3A00Z&tag.a=1&tag.b=2"
                        + "&input=%7B%22user%22%3A%7B%22id%22%3A7%7D%7D&input=%5B1%5D");
        assertThat(new RunQueryString(RunFilter.all().waitingForWorker()).under(""))
                .isEqualTo("/v1/runs?status=running&waiting=true");
    }

    @Test
    void oddNamesAndValuesComeThroughAsTheyAre() {
        RunFilter filter = RunFilter.all().tag("a=b&c:d e", "100% + ü/\u20ac#?").input(Json.string("\u0000 \"&"));

        String path = new RunQueryString(filter).under("");

        assertThat(path)
                .isEqualTo("/v1/runs?tag.a%3Db%26c%3Ad%20e=100%25%20%2B%20%C3%BC%2F%E2%82%AC%23%3F"
                        + "&input=%22%5Cu0000%20%5C%22%26%22");
        assertThat(URI.create(path).getQuery()).contains("tag.a=b&c:d e=100% + ü/\u20ac#?");
    }
}
