package io.perdure.sdk.workflow;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.retry.Backoff;
import io.perdure.sdk.retry.Retry;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * A workflow written as named steps, each of which says which one comes next. The first is called {@code start}. Nothing is run again to find
 * out where a run stands: its last event says so. Each method answers another definition; make it once, as a constant.
 *
 * {@snippet :
 * static final StepFlow ORDER = StepFlow.named("order")
 *         .step("start", ctx -> {
 *             ctx.put("total", price(ctx.input(Cart.class)));
 *             return Next.step("charge");
 *         })
 *         .step("charge", ctx -> Next.done(pay(ctx.get("total", Money.class))))
 *         .maxAttempts(5)
 *         .stepTimeout(Duration.ofSeconds(30));
 * }
 */
public final class StepFlow implements WorkflowDefinition {
    /** The name of the step that every flow begins with. */
    public static final StepName FIRST = new StepName("start");

    private static final Retry DEFAULTS =
            Retry.defaults().timeout(Limits.defaults().steps().flowTimeout());

    private final Heading heading;
    private final Map<StepName, StepFlowCode> steps;
    /** Of the steps that have one. */
    private final Map<StepName, Executor> executors;

    private final Retry retry;

    private StepFlow(
            Heading heading, Map<StepName, StepFlowCode> steps, Map<StepName, Executor> executors, Retry retry) {
        this.heading = heading;
        this.steps = Collections.unmodifiableMap(steps);
        this.executors = executors;
        this.retry = retry;
    }

    /**
     * Begins a definition: version 1, kept for the default retention, each step tried three times, after 1 s and 2 s, for five minutes at
     * most. A name that is not valid is {@code PD-001}.
     */
    public static StepFlow named(String name) {
        return new StepFlow(Heading.named(name), Map.of(), Map.of(), DEFAULTS);
    }

    /** Another version, 1 or more. A run stays with the version it was started with. */
    public StepFlow version(int other) {
        return new StepFlow(heading.version(other), steps, executors, retry);
    }

    /** How long a run is kept once it has ended, see {@link Workflow.Builder#retention}. */
    public StepFlow retention(Duration kept) {
        return new StepFlow(heading.retention(kept), steps, executors, retry);
    }

    /** One more step; {@code PD-001} for a name that is not valid, {@code PD-002} for one that there is already. */
    public StepFlow step(String name, StepFlowCode code) {
        StepName step = new StepName(name);
        Map<StepName, StepFlowCode> more = new LinkedHashMap<>(steps);
        if (more.put(step, Objects.requireNonNull(code, "code")) != null) {
            throw new InvalidValueException(
                    ErrorCode.INVALID_KEY, "Workflow %s has two steps \"%s\".".formatted(heading, step));
        }
        return new StepFlow(heading, more, executors, retry);
    }

    /**
     * Adds a step whose attempts run on the given executor, for steps that compute; see {@link Retry#executor}. Throws {@code PD-001} if the
     * name is not valid, {@code PD-002} if the flow has a step of that name.
     *
     * @param threads runs the attempts, one task each
     */
    public StepFlow step(String name, Executor threads, StepFlowCode code) {
        StepFlow more = step(name, code);
        Map<StepName, Executor> others = new HashMap<>(executors);
        others.put(new StepName(name), Objects.requireNonNull(threads, "threads"));
        return new StepFlow(heading, more.steps, Map.copyOf(others), retry);
    }

    /** How often a step runs at most, the first time included. */
    public StepFlow maxAttempts(int attempts) {
        return with(new Retry(attempts, retry.backoff(), retry.timeout(), retry.fatal()));
    }

    /** The delay between two attempts. */
    public StepFlow backoff(Backoff backoff) {
        return with(new Retry(retry.attempts(), backoff, retry.timeout(), retry.fatal()));
    }

    /**
     * How long an attempt may take before it is interrupted. One that does not end then either is given up by the recovery sweep, and the
     * next one begins; what it still returns is not recorded.
     */
    public StepFlow stepTimeout(Duration timeout) {
        return with(retry.timeout(timeout));
    }

    /** Such an error fails the run at once: trying again would not mend it. */
    public StepFlow notOn(Class<? extends Throwable> error) {
        return with(retry.notOn(error));
    }

    private StepFlow with(Retry other) {
        return new StepFlow(heading, steps, executors, other);
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
        return RunKind.STEP_FLOW;
    }

    /** Its steps, in the order they were added. */
    public Map<StepName, StepFlowCode> steps() {
        return steps;
    }

    /** The code of a step, if there is one. */
    public Optional<StepFlowCode> step(StepName name) {
        return Optional.ofNullable(steps.get(name));
    }

    /** How its steps are tried; the timeout is never absent. */
    public Retry retry() {
        return retry;
    }

    /** Returns how the given step is tried, and by which executor, if it has one. */
    public Retry retry(StepName step) {
        Executor threads = executors.get(step);
        return threads == null ? retry : retry.executor(threads);
    }

    @Override
    public String toString() {
        return heading.toString();
    }
}
