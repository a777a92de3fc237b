package io.perdure.server.rest;

import io.helidon.http.HeaderNames;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.wire.StartJson;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Starts runs. */
final class StartRoutes {
    private static final int CREATED = 201;
    private static final int OK = 200;

    private StartRoutes() {}

    static List<Operation> operations() {
        return List.of(Operation.post(Runs.OF_WORKFLOW, "startRun", StartRoutes::start));
    }

    private static void start(Exchange exchange) {
        WorkflowName workflow = exchange.path("name", WorkflowName::new);
        RunId requested = exchange.requestId().map(RunId::new).orElse(null);
        StartJson start = StartJson.read(exchange.body());
        Run<Json> run = started(exchange, workflow, start, start.runId() == null ? requested : start.runId());
        RunStatus status = run.created() ? RunStatus.RUNNING : run.status();
        exchange.header(HeaderNames.LOCATION, "/v1/workflows/" + workflow + "/runs/" + run.id());
        exchange.answer(run.created() ? CREATED : OK, new StartJson.Started(run.id(), run.created(), status).write());
    }

    private static Run<Json> started(Exchange exchange, WorkflowName workflow, StartJson start, @Nullable RunId id) {
        return exchange.engine().start(workflow.value(), start.kind(), start.input(), start.options(), id);
    }
}
