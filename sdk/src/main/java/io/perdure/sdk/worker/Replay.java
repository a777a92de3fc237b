package io.perdure.sdk.worker;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.WorkflowCodeException;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Inline;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.workflow.Attempt;
import io.perdure.sdk.workflow.Match;
import io.perdure.sdk.workflow.StepAction;
import io.perdure.sdk.workflow.StepCode;
import io.perdure.sdk.workflow.WorkflowContext;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/** The context of one replay: answers from the history what it can, and has a {@link Performer} do the rest. */
final class Replay implements WorkflowContext {
    private final RunId run;
    private final Recall recall;
    private final Codec codec;
    private final Performer performer;
    private final Guard guard;
    private final Draws draws;
    private Instant now;
    /** Whether what was done last is not in {@code now} yet. */
    private boolean performed;

    Replay(Assignment assignment, Codec codec, Performer performer) {
        this.run = assignment.held().run();
        this.guard = new Guard(run, performer::isAbandoned);
        this.draws = new Draws(run);
        this.recall = new Recall(run, assignment.history());
        this.codec = codec;
        this.performer = performer;
        this.now = assignment.history().getFirst().at();
    }

    @Override
    public RunId runId() {
        return run;
    }

    @Override
    public <T> T step(String name, Class<T> type, StepCode<? extends @Nullable T> code, Retry retry) {
        return typedStep(name, type, code, retry);
    }

    @Override
    public <T> T step(String name, TypeReference<T> type, StepCode<? extends @Nullable T> code, Retry retry) {
        return typedStep(name, type.getType(), code, retry);
    }

    @SuppressWarnings("NullAway") // A step may return null, and its caller then gets it.
    private <T> T typedStep(String name, Type type, StepCode<? extends @Nullable T> code, Retry retry) {
        return guard.called(() -> {
            StepName step = new StepName(name);
            String what = "The result of step \"" + step + "\"";
            Json output = step(step, retry, code::run, value -> {
                Json written = codec.write(value, what);
                Inline.value(written, what);
                return written;
            });
            // Read back on the first run too: the code sees what a replay will show it.
            return codec.read(output == null ? Json.NULL : output, type, what);
        });
    }

    @Override
    public void step(String name, StepAction action, Retry retry) {
        guard.called(() -> step(
                new StepName(name),
                retry,
                () -> {
                    action.run();
                    return null;
                },
                _ -> null));
    }

    private @Nullable Json step(StepName step, Retry retry, Performer.Code code, Performer.Writer writer) {
        Recall.Call recorded = recall.next(Recall.Kind.STEP, step).orElse(null);
        if (recorded != null && recorded.doneAt != null) {
            now = recorded.doneAt;
            return recorded.output;
        }
        int failures = recorded == null ? 0 : recorded.failures;
        if (recorded != null && recorded.failure != null && (failures >= retry.attempts() || !recorded.retryable)) {
            // The policy has become stricter since.
            throw new Suspension(new Command.Fail(null, recorded.failure));
        }
        if (recorded != null && recorded.until != null) {
            performer.rest(recorded.until);
        }
        Json output = performer.step(step, failures + 1, retry, new Performer.Work(() -> guard.inStep(code), writer));
        performed = true;
        return output;
    }

    @Override
    public Attempt attempt() {
        guard.requireNotEnded();
        Attempt attempt = performer.attempt();
        if (attempt == null) {
            throw guard.misused(new WorkflowCodeException(
                    ErrorCode.NOT_IN_STEP, "Run %s was asked for an attempt outside its steps.".formatted(run)));
        }
        return attempt;
    }

    @Override
    public void sleep(String name, Duration duration) {
        sleep(name, () -> Due.in(duration));
    }

    @Override
    public void sleepUntil(String name, Instant time) {
        sleep(name, () -> Due.at(time));
    }

    private void sleep(String text, Supplier<Due> end) {
        guard.called(() -> {
            StepName name = new StepName(text);
            Due until = end.get();
            Recall.Call recorded = recall.next(Recall.Kind.SLEEP, name).orElse(null);
            if (recorded == null) {
                now = performer.sleep(name, until);
                performed = false;
            } else {
                performer.rest(Objects.requireNonNull(recorded.until, "a sleep has an end"));
                now = Objects.requireNonNull(recorded.doneAt, "a sleep has an end");
            }
            return recorded;
        });
    }

    @Override
    public <T> T waitForEvent(String name, Class<T> type, Match match) {
        return endlessWait(name, type, match);
    }

    @Override
    public <T> T waitForEvent(String name, TypeReference<T> type, Match match) {
        return endlessWait(name, type.getType(), match);
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // A payload may be null; its type is the parameter.
    private <T> T endlessWait(String name, Type type, Match match) {
        return guard.called(() -> {
            Wait wait = Wait.of(new StepName(name), match);
            Recall.Call recorded = recall.next(Recall.Kind.WAIT, wait.name()).orElse(null);
            if (recorded != null) {
                recall.requireEndless(recorded);
            }
            Json payload = await(wait, recorded, Due.never()).orElseThrow();
            return codec.read(payload, type, payloadOf(wait));
        });
    }

    @Override
    public <T> Optional<T> waitForEvent(String name, Class<T> type, Match match, Duration timeout) {
        return timedWait(name, type, match, timeout);
    }

    @Override
    public <T> Optional<T> waitForEvent(String name, TypeReference<T> type, Match match, Duration timeout) {
        return timedWait(name, type.getType(), match, timeout);
    }

    private <T> Optional<T> timedWait(String name, Type type, Match match, Duration timeout) {
        return guard.called(() -> {
            Wait wait = Wait.of(new StepName(name), match);
            Due until = Due.in(timeout);
            Recall.Call recorded = recall.next(Recall.Kind.WAIT, wait.name()).orElse(null);
            return await(wait, recorded, until).map(payload -> {
                T event = codec.read(payload, type, payloadOf(wait));
                if (event == null) {
                    throw new InvalidValueException(
                            ErrorCode.UNFIT_VALUE,
                            "%s is null, which cannot be told from none; wait for it as Json."
                                    .formatted(payloadOf(wait)));
                }
                return event;
            });
        });
    }

    private static String payloadOf(Wait wait) {
        return "The payload of event \"%s\"".formatted(wait.event());
    }

    private Optional<Json> await(Wait wait, Recall.@Nullable Call recorded, Due until) {
        if (recorded != null && recorded.doneAt != null) {
            now = recorded.doneAt;
            return Optional.ofNullable(recorded.output);
        }
        if (recorded != null) {
            recall.requireSame(recorded, wait);
        }
        Optional<Json> payload =
                recorded == null ? performer.await(wait, until) : performer.awaitOn(wait, recorded.until);
        performed = true;
        return payload;
    }

    @Override
    public Instant now() {
        return guard.called(() -> {
            if (performed) {
                now = performer.lastEvent();
                performed = false;
            }
            return now;
        });
    }

    @Override
    public RandomGenerator random() {
        return guard.called(() -> draws.random(recall.made()));
    }

    @Override
    public UUID uuid() {
        return guard.called(() -> draws.uuid(recall.made()));
    }

    /** What to do, the code having returned this. */
    Command returned(@Nullable Object value) {
        guard.end();
        Command instead = guard.insteadOfEnding();
        if (instead != null) {
            return instead;
        }
        try {
            recall.requireAllMade();
            Json result = codec.write(value, "The result of run " + run);
            Inline.value(result, "The result of run " + run);
            return new Command.Complete(result);
        } catch (WorkflowCodeException | InvalidValueException e) {
            return Guard.park(e);
        }
    }

    /** What to do, the code having thrown this. */
    Command threw(Throwable thrown) {
        guard.end();
        Command mistaken = guard.mistaken();
        if (mistaken != null) {
            return mistaken;
        }
        if (thrown instanceof Suspension unwound) {
            return unwound.command();
        }
        Command instead = guard.insteadOfEnding();
        if (instead != null) {
            return instead;
        }
        Failure failure = Failure.of(thrown);
        return thrown instanceof Error
                ? new Command.Park(failure.type(), failure.message(), failure)
                : new Command.Fail(null, failure);
    }
}
