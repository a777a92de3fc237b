package io.perdure.server.rest;

import io.helidon.http.HeaderNames;
import io.perdure.core.Perdure;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonArray;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.trace.TraceContext;
import io.perdure.sdk.wire.StartJson;
import io.perdure.server.http.HttpStatus;
import io.perdure.server.http.Problems;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Starts runs. */
final class StartRoutes {
    private static final int CREATED = 201;
    private static final int OK = 200;
    private static final int MOST = Limits.defaults().remote().requestStarts();

    private StartRoutes() {}

    static List<Operation> operations() {
        return List.of(
                Operation.post(Runs.OF_WORKFLOW, "startRun", StartRoutes::start),
                Operation.post("/v1/workflows/{name}/starts", "startRuns", StartRoutes::startAll));
    }

    private static void start(Exchange exchange) {
        WorkflowName workflow = exchange.path("name", WorkflowName::new);
        RunId requested = exchange.requestId().map(RunId::new).orElse(null);
        StartJson start = StartJson.read(exchange.body());
        Run<Json> run = started(
                exchange.engine(),
                workflow,
                start.within(exchange.trace()),
                start.runId() == null ? requested : start.runId());
        exchange.header(HeaderNames.LOCATION, "/v1/workflows/" + workflow + "/runs/" + run.id());
        exchange.answer(run.created() ? CREATED : OK, answer(run).write());
    }

    private static StartJson.Started answer(Run<Json> run) {
        return new StartJson.Started(run.id(), run.created(), run.created() ? RunStatus.RUNNING : run.status());
    }

    /** All at the same time, so that they share a flush; one that is refused is no matter of the others. */
    private static void startAll(Exchange exchange) {
        WorkflowName workflow = exchange.path("name", WorkflowName::new);
        List<Json> starts = exchange.fields("starts").list("starts", Function.identity());
        if (starts.size() > MOST) {
            throw InvalidValueException.ofField(
                    "starts", "has " + starts.size() + " elements; at most " + MOST + " are taken.");
        }
        Perdure engine = exchange.engine();
        Optional<TraceContext> trace = exchange.trace();
        List<Attempt> attempts = exchange.site()
                .atOnce()
                .each(parts(starts, exchange.requestId()), part -> part.attempt(engine, workflow, trace));
        requireStore(attempts);
        exchange.answer(JsonObject.builder()
                .put("runs", JsonArray.of(attempts.stream().map(Attempt::json).toList()))
                .build());
    }

    /**
     * One of many starts.
     *
     * @param id what its run is called where it does not say so, whenever this request is sent
     */
    private record Part(Json start, @Nullable RunId id) {
        Attempt attempt(Perdure engine, WorkflowName workflow, Optional<TraceContext> trace) {
            try {
                StartJson read = StartJson.read(start).within(trace);
                Run<Json> run = started(engine, workflow, read, read.runId() == null ? id : read.runId());
                return new Attempt(answer(run).write(), null);
            } catch (RuntimeException e) {
                PerdureException error = Problems.error(null, e);
                return new Attempt(StartJson.refused(error, HttpStatus.of(error.code())), error);
            }
        }
    }

    private static List<Part> parts(List<Json> starts, Optional<UUID> request) {
        List<Part> parts = new ArrayList<>();
        for (Json start : starts) {
            String name = request.map(Object::toString).orElse("") + "-" + parts.size();
            UUID id = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.US_ASCII));
            parts.add(new Part(start, request.isPresent() ? new RunId(id) : null));
        }
        return parts;
    }

    /** What became of one of many starts. */
    private record Attempt(Json json, @Nullable PerdureException error) {}

    /** Where the store could do none of them, that is the answer; and where it may have done one, nobody knows. */
    private static void requireStore(List<Attempt> attempts) {
        List<StoreException> errors = attempts.stream()
                .map(Attempt::error)
                .filter(StoreException.class::isInstance)
                .map(StoreException.class::cast)
                .sorted(Comparator.comparing(error -> error.code() != ErrorCode.OUTCOME_UNKNOWN))
                .toList();
        if (!errors.isEmpty() && errors.size() == attempts.size()) {
            throw errors.getFirst();
        }
    }

    private static Run<Json> started(Perdure engine, WorkflowName workflow, StartJson start, @Nullable RunId id) {
        return engine.start(workflow.value(), start.kind(), start.input(), start.options(), id);
    }
}
