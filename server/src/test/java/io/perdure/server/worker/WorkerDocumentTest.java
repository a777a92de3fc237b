package io.perdure.server.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.wire.Terms;
import io.perdure.server.Document;
import io.perdure.server.Document.Described;
import io.perdure.server.http.UnderWay;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Compares the routes of workers with the OpenAPI document. */
class WorkerDocumentTest {
    @Test
    void everyRouteOfWorkersIsInTheDocumentAndNoOther() {
        try (WorkerRoutes routes = new WorkerRoutes(
                _ -> {
                    throw new IllegalStateException("No request is sent.");
                },
                TestServer.WORKERS,
                new UnderWay(1))) {
            assertThat(Document.workerOperations().stream()
                            .map(one -> one.method() + " " + one.path() + " " + one.id()))
                    .containsExactlyInAnyOrderElementsOf(routes.routes().stream()
                            .map(route -> route.method() + " " + path(route) + " " + route.id())
                            .toList());
        }
    }

    private static String path(WorkerRoutes.Route route) {
        return WorkerRoutes.PATH + (route.path().equals("/") ? "" : route.path());
    }

    @Test
    void rolesBodiesAndHeadersAreAsTheServerDemandsThem() {
        for (Described operation : Document.workerOperations()) {
            assertThat(operation.role()).as(operation.id()).isEqualTo(Optional.of("worker"));
            assertThat(operation.hasBody())
                    .as(operation.id())
                    .isEqualTo(!operation.id().equals("workerTerms"));
            Set<String> demanded = operation.id().equals("workerTerms")
                    ? Set.of()
                    : Set.of(Terms.PROTOCOL_HEADER, Terms.WORKER_HEADER);
            assertThat(operation.parameters("header").stream()
                            .filter(header -> header.path("required").asBoolean(false))
                            .map(header -> header.path("name").asString()))
                    .as(operation.id())
                    .containsExactlyInAnyOrderElementsOf(demanded);
        }
    }

    @Test
    void theDocumentNamesTheProtocolOfThisRelease() {
        for (Described operation : Document.workerOperations()) {
            for (JsonNode header : operation.parameters("header")) {
                if (header.path("name").asString().equals(Terms.PROTOCOL_HEADER)) {
                    assertThat(header.path("example").asInt()).isEqualTo(Terms.PROTOCOL);
                }
            }
        }
    }
}
