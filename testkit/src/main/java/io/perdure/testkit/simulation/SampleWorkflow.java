package io.perdure.testkit.simulation;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.worker.Claim.Served;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A workflow of the simulation: things done one after another, found again from the history. */
record SampleWorkflow(WorkflowName name, List<Op> ops) {
    private static final Duration SHORT = Duration.ofSeconds(3);

    static final List<SampleWorkflow> ALL = List.of(
            of("plain", step("a", 1, 0), step("b", 2, 0.1), step("c", 1, 0)),
            of("flaky", step("a", 3, 0.5), step("b", 3, 0.6)),
            of("sleeper", step("a", 1, 0), new Op.Sleep(named("nap"), Duration.ofSeconds(20)), step("b", 1, 0)),
            of(
                    "waiter",
                    step("a", 1, 0),
                    new Op.Await(named("first"), World.EVENTS.get(0), Duration.ofSeconds(40)),
                    new Op.Await(named("second"), World.EVENTS.get(0), Duration.ofMinutes(5)),
                    step("b", 1, 0)),
            of(
                    "patient",
                    new Op.Await(named("ever"), World.EVENTS.get(1), null),
                    new Op.Await(named("again"), World.EVENTS.get(0), null),
                    step("a", 1, 0)),
            of(
                    "sender",
                    step("a", 1, 0),
                    new Op.Send(named("post"), World.JOBS, new GroupKey("g1")),
                    new Op.Send(named("spread"), World.BULK, null)),
            of("failing", step("a", 1, 0), new Op.Fail(named("fail")), step("b", 1, 0)),
            of("parent", step("a", 1, 0), new Op.Child(named("kid"), new WorkflowName("plain"), 0), step("b", 1, 0)),
            of(
                    "hasty",
                    new Op.Child(named("kid"), new WorkflowName("plain"), 0.5),
                    new Op.Child(named("nap"), new WorkflowName("sleeper"), 0.3),
                    step("b", 1, 0)));

    static final List<Served> SERVED =
            ALL.stream().map(workflow -> new Served(workflow.name(), Set.of(1))).toList();

    static SampleWorkflow named(WorkflowName name) {
        return ALL.stream()
                .filter(workflow -> workflow.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static SampleWorkflow of(String name, Op... ops) {
        return new SampleWorkflow(new WorkflowName(name), List.of(ops));
    }

    private static Op step(String name, int attempts, double failing) {
        return new Op.Step(named(name), attempts, SHORT, failing);
    }

    private static StepName named(String name) {
        return new StepName(name);
    }

    /** What comes next after these events, or nothing if the workflow is through. */
    Optional<Op> next(List<Recorded> history, Instant now) {
        return ops.stream().filter(op -> !isDone(op, history, now)).findFirst();
    }

    private static boolean isDone(Op op, List<Recorded> history, Instant now) {
        return switch (op) {
            case Op.Step _, Op.Send _ ->
                events(history)
                        .anyMatch(event -> event instanceof Event.StepCompleted completed
                                && completed.step().equals(op.name()));
            case Op.Sleep sleep -> isOver(sleep, history, now);
            case Op.Await _ -> events(history).anyMatch(event -> isEndOf(event, op));
            case Op.Child _ ->
                events(history)
                        .anyMatch(event -> event instanceof Event.ChildEnded ended
                                && ended.name().equals(op.name()));
            case Op.Fail _ -> events(history).anyMatch(Event.RunRedriven.class::isInstance);
        };
    }

    private static boolean isEndOf(Event event, Op wait) {
        return switch (event) {
            case Event.WaitTimedOut(StepName name) -> name.equals(wait.name());
            case Event.EventReceived received -> received.name().equals(wait.name());
            case Event _ -> false;
        };
    }

    private static Stream<Event> events(List<Recorded> history) {
        return history.stream().map(Recorded::event);
    }

    /** A sleep is over when its time has come, or when the run went on after it: the clock may have gone back since. */
    private static boolean isOver(Op.Sleep sleep, List<Recorded> history, Instant now) {
        boolean found = false;
        boolean over = false;
        for (Recorded recorded : history) {
            Instant until = recorded.until();
            if (recorded.event() instanceof Event.SleepStarted(StepName name) && name.equals(sleep.name())) {
                found = true;
                over = until != null && !until.isAfter(now);
            } else if (found && isOwn(recorded.event())) {
                over = true;
            }
        }
        return over;
    }

    private static boolean isOwn(Event event) {
        return event instanceof Event.StepCompleted || event instanceof Event.StepFailed;
    }
}
