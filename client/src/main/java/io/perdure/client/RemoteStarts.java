package io.perdure.client;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.WorkflowCodeException;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.wire.StartJson;
import io.perdure.sdk.worker.Registry;
import io.perdure.sdk.workflow.WorkflowDefinition;
import org.jspecify.annotations.Nullable;

/** Starts runs. Their ids are made here: a start that is sent twice is one start. */
final class RemoteStarts {
    private final Calls calls;
    private final Codec codec;
    private final Registry registry;

    RemoteStarts(Calls calls, Codec codec, Registry registry) {
        this.calls = calls;
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
        Integer asked = options.version();
        if (asked != null && asked != workflow.version()) {
            throw new WorkflowCodeException(
                    ErrorCode.VERSION_MISMATCH, "The start of %s asked for version %s.".formatted(workflow, asked));
        }
        if (workflow.kind() == RunKind.CODE && !options.writes().isEmpty()) {
            throw new InvalidValueException(
                    ErrorCode.OUT_OF_BOUNDS,
                    "Workflow %s is written as code, and has no scratchpad to write to.".formatted(workflow));
        }
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

    private Begun send(WorkflowName workflow, @Nullable RunKind kind, Json input, StartOptions options) {
        RunId run = calls.environment().ids().runId();
        String path = Paths.WORKFLOWS + "/" + Paths.encoded(workflow.value()) + "/runs";
        Json body = new StartJson(run, kind, input, options).write(codec);
        StartJson.Started started = calls.ask(calls.repeatable("POST", path, body), StartJson.Started::read);
        // Under our own id it was made by this call, whichever of its tries the server answers.
        return new Begun(started.runId(), started.created() || started.runId().equals(run));
    }
}
