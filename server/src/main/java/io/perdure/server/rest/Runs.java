package io.perdure.server.rest;

import io.perdure.core.store.Refusal;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import java.util.List;
import java.util.stream.Stream;

/** Leads from a path to a run: under the name of a workflow are only its own runs. */
final class Runs {
    static final String ANY = "/v1/runs";
    static final String OF_WORKFLOW = "/v1/workflows/{name}/runs";

    private Runs() {}

    /** An operation on runs, also under the name of their workflow. */
    static Stream<Operation> both(Operation operation) {
        return Stream.of(
                operation,
                operation.also(OF_WORKFLOW + operation.path().substring(ANY.length()), operation.id() + "OfWorkflow"));
    }

    static List<Operation> both(Operation... operations) {
        return Stream.of(operations).flatMap(Runs::both).toList();
    }

    /** The run that the path names; {@code PD-301} where there is none, or it is of another workflow than the path says. */
    static Run<Json> run(Exchange exchange) {
        RunId id = exchange.path("id", RunId::parse);
        Run<Json> run = exchange.engine().run(id);
        if (exchange.hasPath("name") && !run.info().workflow().equals(exchange.path("name", WorkflowName::new))) {
            throw Refusal.NO_SUCH_RUN.because("Tenant %s has no run %s.".formatted(exchange.tenant(), id));
        }
        return run;
    }

    /** The id of a run that the path names; where the path also names a workflow, that it is one of its runs is certain. */
    static RunId id(Exchange exchange) {
        return exchange.hasPath("name") ? run(exchange).id() : exchange.path("id", RunId::parse);
    }
}
