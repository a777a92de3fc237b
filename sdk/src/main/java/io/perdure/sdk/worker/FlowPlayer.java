package io.perdure.sdk.worker;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.WorkflowCodeException;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Inline;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.worker.Transition.Action;
import io.perdure.sdk.worker.Transition.Position;
import io.perdure.sdk.workflow.Attempt;
import io.perdure.sdk.workflow.Next;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.StepFlowCode;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs a StepFlow on from its last event. {@link Transition} says what comes next, a {@link FlowPerformer} does it, and what came of that is
 * the last event from then on. A history and steps go in, a {@link Command} comes out; nothing here reads a store, a clock or the network.
 */
final class FlowPlayer {
    private final StepFlow flow;
    private final Codec codec;
    private final RunId run;
    private final Json input;
    private final Scratchpad scratchpad;
    private final FlowPerformer performer;
    /** The number of the last event, those included that are on their way. */
    private long seq;
    /** The completion that ends the run, where it is not in the history yet. */
    private Event.@Nullable StepCompleted lastCompletion;
    /** The failure that ends the run, where it is not in the history yet. */
    private Event.@Nullable StepFailed lastFailure;

    private FlowPlayer(StepFlow flow, Codec codec, Assignment assignment, FlowPerformer performer) {
        this.flow = flow;
        this.codec = codec;
        this.run = assignment.held().run();
        this.input = assignment.created().input();
        this.seq = assignment.last();
        this.scratchpad = new Scratchpad(assignment.history());
        this.performer = performer;
    }

    static Command play(StepFlow flow, Codec codec, Assignment assignment, FlowPerformer performer) {
        try {
            return new FlowPlayer(flow, codec, assignment, performer)
                    .play(Position.of(assignment.history(), flow.retry().attempts()));
        } catch (Suspension e) {
            return e.command();
        } catch (WorkflowCodeException | InvalidValueException e) {
            return Guard.park(e);
        }
    }

    private Command play(Position from) {
        Position at = from;
        while (true) {
            switch (Transition.after(at)) {
                case Action.StartStep start -> at = step(start, at);
                case Action.CompleteRun(Json result) -> {
                    return lastCompletion == null ? new Command.Complete(result) : new Command.Finish(lastCompletion);
                }
                case Action.FailRun(var reason) -> {
                    return new Command.Fail(lastFailure, reason);
                }
                case Action.None(Event because) ->
                    throw new WorkflowCodeException(
                            ErrorCode.HISTORY_MISMATCH,
                            "Run %s does not match its history at event %s: recorded %s, which no StepFlow leaves."
                                    .formatted(run, seq, because.title()));
            }
        }
    }

    /** Where the run stands after that attempt. */
    private Position step(Action.StartStep start, Position from) {
        StepFlowCode code = flow.step(start.step()).orElseThrow(() -> missing(start.step(), from.last()));
        Instant notBefore = start.notBefore();
        if (notBefore != null) {
            performer.rest(notBefore);
        }
        FlowPerformer.Try made =
                new FlowPerformer.Try(start.step(), start.attempt(), scratchpad.completions(start.step()) + 1);
        Event came = performer.attempt(
                made, flow.retry(start.step()), (attempt, startedAt) -> run(code, attempt, startedAt));
        // That it began, and what came of it.
        seq += 2;
        int most = flow.retry().attempts();
        Position after = Position.after(came, null, most);
        if (came instanceof Event.StepCompleted done) {
            scratchpad.add(done);
            lastCompletion = done.next() == null ? done : null;
        } else if (came instanceof Event.StepFailed failed) {
            if (Transition.of(after) == Transition.TRY_AGAIN) {
                return Position.after(failed, performer.retryLater(failed), most);
            }
            lastFailure = failed;
        }
        return after;
    }

    private Event.StepCompleted run(StepFlowCode code, Attempt attempt, Instant startedAt) throws Exception {
        FlowContext context = new FlowContext(attempt, input, scratchpad, codec);
        try {
            Next next = code.run(context);
            Map<String, Json> writes = context.end();
            requireNoMistake(context);
            return completed(attempt, next, writes, startedAt);
        } catch (Exception | Error e) {
            context.end();
            requireNoMistake(context);
            throw e;
        }
    }

    /** A mistake of the code is not for its policy to mend, nor for the code to hide. */
    private static void requireNoMistake(FlowContext context) {
        PerdureException mistake = context.mistake();
        if (mistake != null) {
            throw new Suspension(Guard.park(mistake));
        }
    }

    private Event.StepCompleted completed(
            Attempt attempt, @Nullable Next next, Map<String, Json> writes, Instant startedAt) {
        try {
            return switch (next) {
                case Next.Step(StepName name) ->
                    new Event.StepCompleted(attempt.step(), attempt.number(), null, writes, name, startedAt);
                case Next.Done(Object result) -> {
                    String what = "The result of run " + run;
                    Json output = codec.write(result, what);
                    Inline.value(output, what);
                    yield new Event.StepCompleted(attempt.step(), attempt.number(), output, writes, null, startedAt);
                }
                case null ->
                    throw new WorkflowCodeException(
                            ErrorCode.NO_NEXT, "Step \"%s\" of run %s returned null.".formatted(attempt.step(), run));
            };
        } catch (WorkflowCodeException | InvalidValueException e) {
            throw new Suspension(Guard.park(e));
        }
    }

    private WorkflowCodeException missing(StepName step, Event after) {
        return new WorkflowCodeException(
                ErrorCode.MISSING_STEP,
                "Run %s is to go on with step \"%s\" after event %s, %s; workflow %s has the steps %s."
                        .formatted(
                                run,
                                step,
                                seq,
                                after.title(),
                                flow,
                                String.join(
                                        ", ",
                                        flow.steps().keySet().stream()
                                                .map(name -> "\"" + name + "\"")
                                                .toList())));
    }
}
