package io.perdure.sdk.workflow;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.retry.Retry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/**
 * What a workflow's code does durably. Each call has a name, used once per run; in a loop, add the turn to it
 * ({@code "charge-" + i}).
 *
 * <p>A call that was done before answers from the history. A call that has to wait for long ends the code by throwing an
 * {@code Error}, and the code runs again from the top when the time has come; so do not catch {@code Throwable}. The context
 * belongs to the thread that runs the code, and to nobody after its end; only {@link #attempt} and {@link #runId} may be asked by
 * threads that a step starts. Misuse throws a {@code WorkflowCodeException} and parks the run.
 */
public interface WorkflowContext {
    /** The run that this is. */
    RunId runId();

    /**
     * Runs a step and records what it returned, or answers what it returned before. An attempt that throws is tried again
     * as the default policy says; when none is left the run fails with that error.
     */
    default <T> T step(String name, Class<T> type, StepCode<? extends @Nullable T> code) {
        return step(name, type, code, Retry.defaults());
    }

    /** The same with a policy of its own. */
    <T> T step(String name, Class<T> type, StepCode<? extends @Nullable T> code, Retry retry);

    /** The same for a type with parameters: {@code new TypeReference<List<Order>>() {}}. */
    default <T> T step(String name, TypeReference<T> type, StepCode<? extends @Nullable T> code) {
        return step(name, type, code, Retry.defaults());
    }

    /** The same for a type with parameters, with a policy of its own. */
    <T> T step(String name, TypeReference<T> type, StepCode<? extends @Nullable T> code, Retry retry);

    /** Runs a step without a result, unless it was done before. */
    default void step(String name, StepAction action) {
        step(name, action, Retry.defaults());
    }

    /** The same with a policy of its own. */
    void step(String name, StepAction action, Retry retry);

    /** The attempt that is under way; {@code PD-506} outside a step. */
    Attempt attempt();

    /** Sleeps for so long by the store's clock. A sleeping run is a row, not a thread. */
    void sleep(String name, Duration duration);

    /** Sleeps until then by the store's clock; not at all where that is over. */
    void sleepUntil(String name, Instant time);

    /**
     * Waits for an event, for as long as it takes, and answers its payload. A signal of that name that came earlier and that no other
     * wait has taken counts. A waiting run is a row, not a thread. {@code PD-010} where the payload does not fit the type, {@code PD-104}
     * where a wait under way was for another event or match; each parks the run.
     */
    default <T> T waitForEvent(String name, Class<T> type) {
        return waitForEvent(name, type, Match.any());
    }

    /** The same for events that match; others stay in the mailbox, for another wait. */
    <T> T waitForEvent(String name, Class<T> type, Match match);

    /** The same for a type with parameters. */
    <T> T waitForEvent(String name, TypeReference<T> type, Match match);

    /**
     * Waits for an event, at most for so long by the store's clock; answers nothing where none came. A payload of {@code null} needs
     * the type {@code Json}.
     */
    default <T> Optional<T> waitForEvent(String name, Class<T> type, Duration timeout) {
        return waitForEvent(name, type, Match.any(), timeout);
    }

    /** The same for events that match; others stay in the mailbox, for another wait. */
    <T> Optional<T> waitForEvent(String name, Class<T> type, Match match, Duration timeout);

    /** The same for a type with parameters. */
    <T> Optional<T> waitForEvent(String name, TypeReference<T> type, Match match, Duration timeout);

    /** The time at which the call before this one ended, the run's start where there was none: the same in every replay. */
    Instant now();

    /** Randomness that is the same in every replay. */
    RandomGenerator random();

    /** A random id that is the same in every replay. */
    UUID uuid();
}
