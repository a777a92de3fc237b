package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.perdure.server.Asking.Answer;
import io.perdure.server.Document.Described;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import tools.jackson.databind.JsonNode;

/** Asks for every operation as its example does, and holds the answer against the document. */
final class GoodRequests {
    private GoodRequests() {}

    static Stream<DynamicTest> tests(Served served) {
        Scenario scenario = new Scenario(served);
        return Document.operations().stream()
                .map(operation -> dynamicTest(operation.id(), () -> check(operation, scenario, served)));
    }

    private static void check(Described operation, Scenario scenario, Served served) {
        Answer answer = served.asking.ask(scenario.good(operation).key(served.admin));
        assertThat(answer.status()).as(answer.body()).isBetween(200, 299);
        assertThat(operation.documents(answer.status()))
                .as("documents " + answer.status())
                .isTrue();
        Optional<JsonNode> schema = operation.schema(answer.status(), answer.mediaType());
        assertThat(answer.body().isEmpty() || schema.isPresent())
                .as("%s is documented", answer.mediaType())
                .isTrue();
        if (answer.mediaType().equals("application/json")) {
            assertThat(SchemaCheck.faults(schema.orElseThrow(), answer.json()))
                    .as(answer.body())
                    .isEmpty();
        }
    }
}
