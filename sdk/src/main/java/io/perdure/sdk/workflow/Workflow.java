package io.perdure.sdk.workflow;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
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
public final class Workflow<I, O> {
    private final Builder definition;
    private final Type input;
    private final Type output;
    private final WorkflowCode<I, O> code;

    private Workflow(Builder definition, Type input, Type output, WorkflowCode<I, O> code) {
        this.definition = definition;
        this.input = input;
        this.output = output;
        this.code = code;
    }

    /** Begins a definition: version 1, kept for the default retention. A name that is not valid is {@code PD-001}. */
    public static Builder named(String name) {
        return new Builder(new WorkflowName(name), 1, Limits.defaults().runs().retentionDaysDefault());
    }

    public WorkflowName name() {
        return definition.name;
    }

    public int version() {
        return definition.version;
    }

    /** How many days a run is kept once it has ended. */
    public int retentionDays() {
        return definition.retentionDays;
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
        return definition.name + "@" + definition.version;
    }

    /** What a workflow has besides its code. */
    public static final class Builder {
        private final WorkflowName name;
        private final int version;
        private final int retentionDays;

        private Builder(WorkflowName name, int version, int retentionDays) {
            this.name = name;
            this.version = version;
            this.retentionDays = retentionDays;
        }

        /** Another version, 1 or more. A run stays with the version it was started with. */
        public Builder version(int other) {
            if (other < 1) {
                throw new InvalidValueException(
                        ErrorCode.OUT_OF_BOUNDS, "Version " + other + " of workflow " + name + " is below 1.");
            }
            return new Builder(name, other, retentionDays);
        }

        /** How long a run is kept once it has ended, rounded up to whole days; 365 at most, more is cut to that. */
        public Builder retention(Duration kept) {
            long days = Math.ceilDiv(kept.toSeconds(), Duration.ofDays(1).toSeconds());
            int most = Limits.defaults().runs().retentionDaysCeiling();
            if (days < 1 || days > most) {
                throw new InvalidValueException(
                        ErrorCode.OUT_OF_BOUNDS,
                        "Retention " + kept + " of workflow " + name + " is not between 1 and " + most + " days.");
            }
            return new Builder(name, version, Math.toIntExact(days));
        }

        /** The code of a workflow with input and result. */
        public <I, O> Workflow<I, O> run(Class<I> input, Class<O> output, WorkflowCode<I, O> code) {
            return new Workflow<>(this, input, output, code);
        }

        /** The code of a workflow whose input or result are types with parameters. */
        public <I, O> Workflow<I, O> run(TypeReference<I> input, TypeReference<O> output, WorkflowCode<I, O> code) {
            return new Workflow<>(this, input.getType(), output.getType(), code);
        }
    }
}
