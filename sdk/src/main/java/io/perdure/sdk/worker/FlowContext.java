package io.perdure.sdk.worker;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.WorkflowCodeException;
import io.perdure.sdk.id.EntryKey;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.workflow.Attempt;
import io.perdure.sdk.workflow.StepFlowContext;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/** The context of one attempt of a StepFlow's step. What is written is kept aside until the step has returned. */
final class FlowContext implements StepFlowContext {
    private final Attempt attempt;
    private final Json input;
    private final Scratchpad scratchpad;
    private final Codec codec;
    private final Map<String, Json> writes = new TreeMap<>();
    private boolean ended;
    private @Nullable PerdureException mistake;

    FlowContext(Attempt attempt, Json input, Scratchpad scratchpad, Codec codec) {
        this.attempt = attempt;
        this.input = input;
        this.scratchpad = scratchpad;
        this.codec = codec;
    }

    @Override
    public RunId runId() {
        return attempt.run();
    }

    @Override
    public Attempt attempt() {
        return attempt;
    }

    @Override
    public <T> T input(Class<T> type) {
        return readInput(type);
    }

    @Override
    public <T> T input(TypeReference<T> type) {
        return readInput(type.getType());
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // An input may be null; its type is the parameter.
    private <T> T readInput(Type type) {
        return called(() -> codec.read(input, type, "The input of run " + runId()));
    }

    @Override
    public <T> T get(String key, Class<T> type) {
        return readEntry(key, type);
    }

    @Override
    public <T> T get(String key, TypeReference<T> type) {
        return readEntry(key, type.getType());
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // An entry may be null; its type is the parameter.
    private <T> T readEntry(String key, Type type) {
        return called(() -> {
            Json entry = scratchpad
                    .find(new EntryKey(key).value())
                    .orElseThrow(() -> new WorkflowCodeException(
                            ErrorCode.NO_SUCH_ENTRY,
                            "Step \"%s\" of run %s asked for entry \"%s\" of the scratchpad, which no earlier step has put there."
                                    .formatted(attempt.step(), runId(), key)));
            return codec.read(entry, type, what(key));
        });
    }

    @Override
    public <T> Optional<T> find(String key, Class<T> type) {
        return findEntry(key, type);
    }

    @Override
    public <T> Optional<T> find(String key, TypeReference<T> type) {
        return findEntry(key, type.getType());
    }

    private <T> Optional<T> findEntry(String key, Type type) {
        return called(() -> scratchpad.find(new EntryKey(key).value()).map(entry -> {
            T value = codec.read(entry, type, what(key));
            if (value == null) {
                throw new InvalidValueException(
                        ErrorCode.UNFIT_VALUE,
                        what(key) + " is null, which cannot be told from none; ask for it as Json.");
            }
            return value;
        }));
    }

    @Override
    public void put(String key, @Nullable Object value) {
        called(() -> writes.put(new EntryKey(key).value(), codec.write(value, what(key))));
    }

    private String what(String key) {
        return "Entry \"" + key + "\" of the scratchpad of run " + runId();
    }

    /** Makes a call of the step's code. The first mistake is kept: it decides what becomes of the run, whatever the code makes of it. */
    private synchronized <T extends @Nullable Object> T called(Supplier<T> call) {
        if (ended) {
            throw new WorkflowCodeException(
                    ErrorCode.CONTEXT_ENDED,
                    "The context of step \"%s\" of run %s was used after the step had ended."
                            .formatted(attempt.step(), runId()));
        }
        try {
            return call.get();
        } catch (WorkflowCodeException | InvalidValueException e) {
            mistake = mistake == null ? e : mistake;
            throw e;
        }
    }

    /** The step has ended: answers what it wrote. */
    synchronized Map<String, Json> end() {
        ended = true;
        return Map.copyOf(writes);
    }

    /** What the step did wrong, if it did. */
    synchronized @Nullable PerdureException mistake() {
        return mistake;
    }
}
