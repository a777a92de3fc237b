package io.perdure.client;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RemoteLimits;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonArray;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.wire.FieldReader;
import io.perdure.sdk.wire.StartJson;
import io.perdure.sdk.worker.Registry;
import io.perdure.sdk.workflow.WorkflowDefinition;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Starts runs. Their ids are made here: a start that is sent twice is one start. Starts of a workflow that come at the same time share
 * requests.
 */
final class RemoteStarts {
    private static final RemoteLimits LIMITS = Limits.defaults().remote();
    private static final Gathering.Requests AT_ONCE =
            new Gathering.Requests(4, LIMITS.requestStarts(), LIMITS.startsBytes());

    private final Calls calls;
    private final Gathering<WorkflowName, Start, Json> gathering;
    private final Codec codec;
    private final Registry registry;

    RemoteStarts(Calls calls, Codec codec, Registry registry) {
        this.calls = calls;
        this.gathering = new Gathering<>(calls, Room.asOfLedger(), _ -> AT_ONCE, this::send);
        this.codec = codec;
        this.registry = registry;
    }

    /**
     * The run that a start led to.
     *
     * @param created whether it is a new one
     */
    record Begun(RunId run, boolean created) {}

    /** Starts a run of a workflow, with the version of its definition. */
    Begun start(WorkflowDefinition workflow, @Nullable Object input, StartOptions options) {
        options.requireFor(workflow);
        StartOptions all = options.version(workflow.version());
        if (all.retentionDays() == null) {
            all = all.retentionDays(workflow.retentionDays());
        }
        return send(workflow.name(), workflow.kind(), codec.write(input, "The input of workflow " + workflow), all);
    }

    /** Starts a run by the name of its workflow; where no version is asked for, the server knows the newest that is served. */
    Begun start(WorkflowName workflow, Json input, StartOptions options) {
        Integer version = options.version();
        @Nullable
        WorkflowDefinition known =
                version == null ? null : registry.find(workflow, version).orElse(null);
        return known == null ? send(workflow, null, input, options) : start(known, input, options);
    }

    /** A start as it is sent. */
    private record Start(RunId run, Json body) {}

    private Begun send(WorkflowName workflow, @Nullable RunKind kind, Json input, StartOptions options) {
        calls.requireOpen();
        RunId run = calls.environment().ids().runId();
        Start start = new Start(run, new StartJson(run, kind, input, options).write(codec));
        Json answer = gathering.hand(workflow, start, 1, start.body().bytes()).await();
        Optional<PerdureException> problem = Calls.read(what(workflow), answer, StartJson::problem);
        if (problem.isPresent()) {
            if (!(problem.get() instanceof StoreException)) {
                throw problem.get();
            }
            // The store could not do it then. Alone it is asked for again, as long as there is patience.
            answer = alone(path(workflow), start, calls.patience());
        }
        StartJson.Started started = Calls.read(what(workflow), answer, StartJson.Started::read);
        // Under our own id it was made by this call, whichever of its tries the server answers.
        return new Begun(started.runId(), started.created() || started.runId().equals(run));
    }

    private Json alone(String path, Start start, Duration patience) {
        return calls.ask(calls.natural("POST", path + "/runs", start.body()).patience(patience));
    }

    private static String what(WorkflowName workflow) {
        return "a start of workflow " + workflow;
    }

    private static String path(WorkflowName workflow) {
        return Paths.WORKFLOWS + "/" + Paths.encoded(workflow.value());
    }

    private List<Json> send(WorkflowName workflow, List<Start> starts, Duration patience) {
        String path = path(workflow);
        if (starts.size() == 1) {
            return List.of(alone(path, starts.getFirst(), patience));
        }
        Json body = JsonObject.builder()
                .put("starts", JsonArray.of(starts.stream().map(Start::body).toList()))
                .build();
        List<Json> answers = calls.ask(
                calls.natural("POST", path + "/starts", body).patience(patience),
                answer -> FieldReader.of(answer).list("runs", Function.identity()));
        if (answers.size() != starts.size()) {
            throw new StoreException(
                    ErrorCode.OUTCOME_UNKNOWN,
                    "The server answered " + answers.size() + " of " + starts.size() + " starts.");
        }
        return answers;
    }
}
