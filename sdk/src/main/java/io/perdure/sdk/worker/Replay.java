package io.perdure.sdk.worker;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
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
import io.perdure.sdk.workflow.StepAction;
import io.perdure.sdk.workflow.StepCode;
import io.perdure.sdk.workflow.WorkflowContext;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.SplittableRandom;
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
    private final Thread thread = Thread.currentThread();
    private Instant now;
    /** Whether what was done last is not in {@code now} yet. */
    private boolean performed;

    /** After how many calls randomness was asked for last, and how often. */
    private int drawnAt;

    private int draws;
    private volatile boolean ended;
    private volatile boolean inStep;
    /** Why the code cannot go on. Once it is set every call says so. */
    private volatile @Nullable Suspension suspension;
    /** What the code did wrong, if it did; the first counts. */
    private volatile @Nullable PerdureException misuse;

    Replay(Assignment assignment, Codec codec, Performer performer) {
        this.run = assignment.held().run();
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
        return called(() -> {
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
        called(() -> step(
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
        Json output = performer.step(step, failures + 1, retry, new Performer.Work(() -> runInStep(code), writer));
        performed = true;
        return output;
    }

    /** A mistake that the step's code made is not for its policy to mend, nor for its code to hide. */
    private @Nullable Object runInStep(Performer.Code code) throws Exception {
        inStep = true;
        try {
            Object value = code.run();
            requireNoMistake();
            return value;
        } catch (Exception | Error e) {
            requireNoMistake();
            throw e;
        } finally {
            inStep = false;
        }
    }

    private void requireNoMistake() {
        PerdureException mistake = misuse;
        if (mistake != null) {
            throw new Suspension(park(mistake));
        }
    }

    @Override
    public Attempt attempt() {
        requireNotEnded();
        Attempt attempt = performer.attempt();
        if (attempt == null) {
            throw misused(new WorkflowCodeException(
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
        called(() -> {
            StepName name = new StepName(text);
            Due until = end.get();
            Recall.Call recorded = recall.next(Recall.Kind.SLEEP, name).orElse(null);
            if (recorded == null) {
                now = performer.sleep(name, until);
                performed = false;
            } else {
                Instant recordedEnd = Objects.requireNonNull(recorded.until, "a sleep has an end");
                performer.rest(recordedEnd);
                now = recordedEnd;
            }
            return recorded;
        });
    }

    @Override
    public Instant now() {
        return called(() -> {
            if (performed) {
                now = performer.lastEvent();
                performed = false;
            }
            return now;
        });
    }

    @Override
    public RandomGenerator random() {
        return called(this::seeded);
    }

    @Override
    public UUID uuid() {
        return called(() -> {
            RandomGenerator random = seeded();
            long high = (random.nextLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x4000L;
            long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
            return new UUID(high, low);
        });
    }

    /** By run, place in the code, and how often it was asked for: the same whenever the code comes by here. */
    private RandomGenerator seeded() {
        if (drawnAt != recall.made()) {
            drawnAt = recall.made();
            draws = 0;
        }
        long place = ((long) drawnAt << 32) | draws++;
        long ofRun = run.value().getMostSignificantBits() * 31 + run.value().getLeastSignificantBits();
        return new SplittableRandom(ofRun ^ (place * 0x9E37_79B9_7F4A_7C15L));
    }

    /** What every call of the code goes through: is it allowed, and can it go on? */
    private <T extends @Nullable Object> T called(Supplier<T> call) {
        requireUsable();
        Suspension before = suspension;
        if (before != null) {
            // Another one each time: a resource that is closed meanwhile may call too, and no error can suppress
            // itself.
            throw new Suspension(before.command());
        }
        PerdureException mistake = misuse;
        if (mistake != null) {
            throw mistake;
        }
        try {
            return call.get();
        } catch (Suspension e) {
            suspension = e;
            throw e;
        } catch (WorkflowCodeException | InvalidValueException e) {
            throw misused(e);
        }
    }

    private void requireNotEnded() {
        if (ended) {
            throw new WorkflowCodeException(
                    ErrorCode.CONTEXT_ENDED, "The context of run %s was used after the code had ended.".formatted(run));
        }
    }

    private void requireUsable() {
        requireNotEnded();
        if (!Thread.currentThread().equals(thread)) {
            throw misused(new WorkflowCodeException(
                    ErrorCode.WRONG_THREAD,
                    "The context of run %s was used by thread \"%s\"."
                            .formatted(run, Thread.currentThread().getName())));
        }
        if (inStep) {
            throw misused(new WorkflowCodeException(
                    ErrorCode.INSIDE_STEP, "The context of run %s was used inside a step.".formatted(run)));
        }
    }

    private PerdureException misused(PerdureException mistake) {
        if (misuse == null) {
            misuse = mistake;
        }
        return mistake;
    }

    /** What to do, the code having returned this. */
    Command returned(@Nullable Object value) {
        ended = true;
        Command instead = insteadOfEnding();
        if (instead != null) {
            return instead;
        }
        try {
            recall.requireAllMade();
            Json result = codec.write(value, "The result of run " + run);
            Inline.value(result, "The result of run " + run);
            return new Command.Complete(result);
        } catch (WorkflowCodeException | InvalidValueException e) {
            return park(e);
        }
    }

    /** What to do, the code having thrown this. */
    Command threw(Throwable thrown) {
        ended = true;
        PerdureException mistake = misuse;
        if (mistake != null) {
            return park(mistake);
        }
        if (thrown instanceof Suspension unwound) {
            return unwound.command();
        }
        Command instead = insteadOfEnding();
        if (instead != null) {
            return instead;
        }
        return thrown instanceof Error
                ? new Command.Park(thrown.getClass().getName(), String.valueOf(thrown.getMessage()))
                : new Command.Fail(null, Failure.of(thrown));
    }

    /** Where the code did what it must not, that comes before whatever it ended with. */
    private @Nullable Command insteadOfEnding() {
        PerdureException mistake = misuse;
        if (mistake != null) {
            return park(mistake);
        }
        Suspension before = suspension;
        if (before == null) {
            return null;
        }
        return before.command() instanceof Command.Drop
                ? before.command()
                : park(new WorkflowCodeException(
                        ErrorCode.SUSPENSION_CAUGHT,
                        "The code of run %s caught the error by which it was suspended, and went on.".formatted(run)));
    }

    static Command park(PerdureException why) {
        return new Command.Park(why.code().code(), String.valueOf(why.getMessage()));
    }
}
