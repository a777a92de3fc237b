package io.perdure.sdk.workflow;

import io.perdure.sdk.id.RunId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/**
 * What a step of a StepFlow has at hand: the run's input, and a scratchpad that lasts as long as the run. What is read is what earlier
 * steps, or the start, have written; what this step writes is kept together with its return, and is forgotten where it fails.
 *
 * <p>For the step's own threads, until it returns; after that each call is {@code PD-504}. An entry that is not there ({@code PD-510}),
 * does not fit the type ({@code PD-010}) or cannot be written ({@code PD-009}, {@code PD-002}) is a mistake of the code: it parks the
 * run, whatever the step makes of it.
 */
public interface StepFlowContext {
    /** The run that this is. */
    RunId runId();

    /** The attempt that this is, with the key by which an outside API can tell that it was asked before. */
    Attempt attempt();

    /** What the run was started with. */
    <T> T input(Class<T> type);

    /** The same for a type with parameters. */
    <T> T input(TypeReference<T> type);

    /** What an earlier step, or the start, has put there last. */
    <T> T get(String key, Class<T> type);

    /** The same for a type with parameters. */
    <T> T get(String key, TypeReference<T> type);

    /** What an earlier step, or the start, has put there last, if one has; an entry of {@code null} needs the type {@code Json}. */
    <T> Optional<T> find(String key, Class<T> type);

    /** The same for a type with parameters. */
    <T> Optional<T> find(String key, TypeReference<T> type);

    /** Writes an entry, as JSON, for the steps that come after this one. */
    void put(String key, @Nullable Object value);
}
