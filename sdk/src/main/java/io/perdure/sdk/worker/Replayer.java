package io.perdure.sdk.worker;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.WorkflowCodeException;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.workflow.Attempt;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowDefinition;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs a workflow's code over a history. A history and code go in, a {@link Command} comes out; nothing here reads a store, a
 * clock or the network.
 *
 * <p><b>Calls, not lines.</b> The code runs from the top each time. Its calls of the context (steps, sleeps, waits) are compared one by
 * one with the calls that the history shows ({@link Recall}): same kind, same name, same place. What was done is answered from
 * the history without running anything. The first call that is not done is where the run stands. Everything in between may be
 * changed freely by a deploy; a changed order of calls is noticed, and parks the run instead of guessing.
 *
 * <p><b>Unwinding.</b> Where the code cannot go on now, because it sleeps, waits for an event, or a step is to be tried later, a {@link Suspension}
 * leaves it. It carries the command, which is performed by the worker loop <em>after</em> it has passed through the code. So a code
 * that catches it has done no harm yet: the lease is still held, and the run is parked with {@code PD-502}. Whatever the
 * code does after a suspension or a mistake cannot undo it: every later call throws the same again, and the first mistake
 * decides what becomes of the run.
 *
 * <p><b>Values.</b> A step's result goes through JSON on the first run too, so that the code sees the same value that a replay will
 * show it, and a result that cannot be read back is found at once instead of after a crash. {@code now()} is the time of the
 * call before, {@code random()} and {@code uuid()} are seeded by run and place: none of them costs an event.
 */
public final class Replayer {
    private Replayer() {}

    /**
     * What the code would do next, given this history and mailbox: the pure form, which performs nothing. A sleep or delay that is
     * not over by {@link Assignment#at} is to be rested for.
     */
    public static Command next(WorkflowDefinition definition, Codec codec, Assignment assignment) {
        Asking asking = new Asking(assignment.at(), new Letters(assignment.mailbox()));
        return play(definition, codec, assignment, asking, asking);
    }

    /** Runs a workflow on, letting somebody perform what is not in the history. */
    static Command play(
            WorkflowDefinition definition,
            Codec codec,
            Assignment assignment,
            Performer performer,
            FlowPerformer flowPerformer) {
        RunKind recorded = assignment.created().kind();
        if (recorded != null && recorded != definition.kind()) {
            return Guard.park(new WorkflowCodeException(
                    ErrorCode.HISTORY_MISMATCH,
                    "Run %s does not match its history at event 0: recorded a workflow written as %s, the code of %s is %s."
                            .formatted(
                                    assignment.held().run(),
                                    recorded.words(),
                                    definition,
                                    definition.kind().words())));
        }
        return switch (definition) {
            case Workflow<?, ?> workflow -> play(workflow, codec, assignment, performer);
            case StepFlow flow -> FlowPlayer.play(flow, codec, assignment, flowPerformer);
        };
    }

    /** Runs the code of one. */
    static <I, O> Command play(Workflow<I, O> workflow, Codec codec, Assignment assignment, Performer performer) {
        Replay replay = new Replay(assignment, codec, performer);
        I input;
        try {
            input = input(workflow, codec, assignment.created().input());
        } catch (InvalidValueException e) {
            return Guard.park(e);
        }
        try {
            return replay.returned(workflow.code().run(replay, input));
        } catch (Throwable e) {
            // Whatever it is, the code decides the fate of its run and of no other.
            return replay.threw(e);
        }
    }

    @SuppressWarnings("NullAway") // The input may be null, and the code then gets it.
    private static <I> I input(Workflow<I, ?> workflow, Codec codec, Json input) {
        Type type = workflow.input();
        return codec.read(input, type, "The input of workflow " + workflow);
    }

    /** Performs nothing: whatever is asked for is the answer. */
    private record Asking(Instant now, Letters letters) implements Performer, FlowPerformer {
        @Override
        public Event attempt(Try made, Retry retry, FlowStep code) {
            throw new Suspension(new Command.RunStep(made.step(), made.number()));
        }

        @Override
        public Instant retryLater(Event.StepFailed failed) {
            throw new IllegalStateException("no attempt was made");
        }

        @Override
        public @Nullable Json step(StepName step, int attempt, Retry retry, Work work) {
            throw new Suspension(new Command.RunStep(step, attempt));
        }

        @Override
        public Instant sleep(StepName name, Due until) {
            throw new Suspension(new Command.Sleep(name, until));
        }

        @Override
        public void rest(Instant until) {
            if (until.isAfter(now)) {
                throw new Suspension(new Command.Rest(until));
            }
        }

        @Override
        public Optional<Json> await(Wait wait, Due until) {
            throw new Suspension(letters.take(wait, null)
                    .<Command>map(letter -> new Command.TakeEvent(wait, letter.number()))
                    .orElseGet(() -> new Command.AwaitEvent(wait, until, false)));
        }

        @Override
        public Optional<Json> awaitOn(Wait wait, @Nullable Instant until) {
            throw new Suspension(letters.take(wait, until)
                    .<Command>map(letter -> new Command.TakeEvent(wait, letter.number()))
                    .orElseGet(() -> until == null || now.isBefore(until)
                            ? new Command.AwaitEvent(wait, until == null ? Due.never() : Due.at(until), true)
                            : new Command.GiveUp(wait.name())));
        }

        @Override
        public Instant lastEvent() {
            return now;
        }

        @Override
        public @Nullable Attempt attempt() {
            return null;
        }
    }
}
