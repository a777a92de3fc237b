package io.perdure.sdk.worker;

import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RecordedException;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.workflow.WorkflowDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The end of a turn: performs the command that the code ended with, in one commit with what was gathered. */
record Closing(
        Worker worker,
        WorkflowDefinition workflow,
        Assignment assignment,
        Follower follower,
        Tenure tenure,
        Journal journal,
        Waits waits) {
    private static final String ENGINE = "perdure";

    /** Does what the code ended with, or parks the run where the store does not take that. */
    boolean end(Command command) {
        try {
            return perform(command);
        } catch (Suspension e) {
            if (command instanceof Command.Park || !(e.command() instanceof Command.Park)) {
                throw e;
            }
            return perform(e.command());
        }
    }

    /** Does what the code ended with; answers whether the follower was told the end. */
    private boolean perform(Command command) {
        switch (command) {
            case Command.Complete(Json result) -> {
                journal.commit(List.of(new Draft(new Event.RunCompleted(result))), null);
                follower.ended(RunStatus.COMPLETED, result, null);
                return true;
            }
            case Command.Finish(Event.StepCompleted step) -> {
                Json result = step.output() == null ? Json.NULL : step.output();
                journal.commit(List.of(new Draft(step), new Draft(new Event.RunCompleted(result))), null);
                follower.ended(RunStatus.COMPLETED, result, null);
                return true;
            }
            case Command.Fail(var step, Failure reason) -> {
                journal.commit(
                        Stream.of(step, new Event.RunFailed(reason))
                                .filter(Objects::nonNull)
                                .map(Draft::new)
                                .toList(),
                        null);
                follower.ended(RunStatus.FAILED, null, reason);
                // Not what it says, which may be about somebody's data.
                worker.failures.logWith(
                        System.Logger.Level.WARNING,
                        () -> "Run " + assignment.held().run() + " of " + workflow + " failed: " + reason.type()
                                + "; its history says more.",
                        () -> RecordedException.withoutMessages(reason));
                return true;
            }
            case Command.Cancel(String reason) -> {
                journal.commit(List.of(new Draft(new Event.RunCancelled(ENGINE, reason))), null);
                follower.ended(RunStatus.CANCELLED, null, new Failure("cancelled", reason, null));
                return true;
            }
            case Command.Park park -> {
                park(park);
                follower.ended(RunStatus.PARKED, null, new Failure(park.reason(), park.detail(), null));
                return true;
            }
            case Command.Sleep(StepName name, Due until) ->
                letGo(new Draft(new Event.SleepStarted(name), until), until);
            case Command.RetryLater(Event.StepFailed failed, Duration delay) ->
                letGo(new Draft(failed, Due.in(delay)), Due.in(delay));
            case Command.Rest(Instant until) -> {
                journal.commit(List.of(), Release.until(Due.at(until)));
                noteDue(tenure.now(), until);
            }
            case Command.AwaitEvent await -> noteDue(tenure.now(), waits.letGo(await));
            case Command.Yield() -> journal.commit(List.of(), Release.until(Due.atOnce()));
            case Command.Drop(String why) ->
                worker.log.log(
                        System.Logger.Level.INFO,
                        () -> "Run " + assignment.held().run() + " was lost: " + why + ".");
            case Command.RunStep _, Command.TakeEvent _, Command.GiveUp _, Command.LookAgain _ ->
                throw new IllegalStateException("a worker does that itself: " + command);
        }
        return false;
    }

    private void letGo(Draft draft, Due until) {
        Recorded delayed = journal.commit(List.of(draft), Release.until(until)).getLast();
        noteDue(delayed.at(), Pauses.endOf(delayed));
    }

    /** The run becomes due then, or at its deadline if that is earlier. */
    private void noteDue(Instant now, Instant until) {
        worker.dueIn(Duration.between(now, tenure.dueBy(until)));
    }

    private void park(Command.Park park) {
        RunId run = assignment.held().run();
        Supplier<String> line = () -> "Run %s of %s is parked. %s After the repair, run `perdure runs resume %s`."
                .formatted(run, workflow, park.logged(), run);
        Failure thrown = park.thrown();
        if (thrown == null) {
            worker.log.log(System.Logger.Level.WARNING, line);
        } else {
            worker.log.logWith(System.Logger.Level.WARNING, line, () -> RecordedException.withoutMessages(thrown));
        }
        List<Draft> parked = List.of(new Draft(new Event.RunParked(park.reason(), park.detail())));
        try {
            journal.commit(parked, null);
        } catch (Suspension e) {
            if (!(e.command() instanceof Command.Park)) {
                throw e;
            }
            // What the store does not take is not taken together with this either.
            journal.discard();
            journal.commit(parked, null);
        }
    }
}
