package io.perdure.sdk.workflow;

import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.id.WorkflowName;
import java.lang.reflect.Type;
import java.time.Duration;
import tools.jackson.core.type.TypeReference;

/**
 * A workflow's definition: its name, its version, and its code. Make it once, as a constant; it holds no state of runs.
 *
 * @param <I> what a run is given
 * @param <O> what a run results in
 */
public final class Workflow<I, O> implements WorkflowDefinition {
    private final Heading heading;
    private final Type input;
    private final Type output;
    private final WorkflowCode<I, O> code;

    private Workflow(Heading heading, Type input, Type output, WorkflowCode<I, O> code) {
        this.heading = heading;
        this.input = input;
        this.output = output;
        this.code = code;
    }

    /** Begins a definition: version 1, kept for the default retention. A name that is not valid is {@code PD-001}. */
    public static Builder named(String name) {
        return new Builder(Heading.named(name));
    }

    @Override
    public WorkflowName name() {
        return heading.name();
    }

    @Override
    public int version() {
        return heading.version();
    }

    @Override
    public int retentionDays() {
        return heading.retentionDays();
    }

    @Override
    public RunKind kind() {
        return RunKind.CODE;
    }

    public Type input() {
        return input;
    }

    public Type output() {
        return output;
    }

    public WorkflowCode<I, O> code() {
        return code;
    }

    @Override
    public String toString() {
        return heading.toString();
    }

    /** What a workflow has besides its code. */
    public static final class Builder {
        private final Heading heading;

        private Builder(Heading heading) {
            this.heading = heading;
        }

        /** Another version, 1 or more. A run stays with the version it was started with. */
        public Builder version(int other) {
            return new Builder(heading.version(other));
        }

        /**
         * How long a run is kept once it has ended, rounded up to whole days. More than the engine allows, 365 days unless it was opened with
         * another number, is cut to that when a run is started.
         */
        public Builder retention(Duration kept) {
            return new Builder(heading.retention(kept));
        }

        /** The code of a workflow with input and result. */
        public <I, O> Workflow<I, O> run(Class<I> input, Class<O> output, WorkflowCode<I, O> code) {
            return new Workflow<>(heading, input, output, code);
        }

        /** The code of a workflow whose input or result are types with parameters. */
        public <I, O> Workflow<I, O> run(TypeReference<I> input, TypeReference<O> output, WorkflowCode<I, O> code) {
            return new Workflow<>(heading, input.getType(), output.getType(), code);
        }
    }
}
