package io.perdure.sdk.worker;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowCode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A history written by hand, one event per second, and what the replayer makes of it. */
final class Histories {
    static final Instant START = Instant.parse("2026-01-02T03:04:05Z");
    static final RunId RUN = RunId.parse("0199d2a4-0000-7000-8000-000000000001");
    static final Failure BROKEN = new Failure("java.io.IOException", "no answer", null);

    private final List<Recorded> events = new ArrayList<>();
    private RunId run = RUN;
    private Mailbox mailbox = Mailbox.EMPTY;

    private Histories() {}

    /** Nothing has happened but the start, with this input. */
    static Histories of(String input) {
        return of(RunKind.CODE, input);
    }

    /** The same for a workflow that is written in this way. */
    static Histories of(RunKind kind, String input) {
        Histories history = new Histories();
        history.add(
                new Event.RunCreated(
                        new WorkflowName("sample"), 1, kind, Json.of(input), Map.of(), null, null, null, Map.of()),
                null);
        return history;
    }

    /** Nothing has happened but the start, without input. */
    static Histories empty() {
        return of("null");
    }

    static Workflow<Json, Object> workflow(WorkflowCode<Json, Object> code) {
        return Workflow.named("sample").run(Json.class, Object.class, code);
    }

    Histories inRun(RunId other) {
        run = other;
        return this;
    }

    Histories add(Event event, @Nullable Instant until) {
        events.add(new Recorded(events.size(), at(events.size()), until, event));
        return this;
    }

    Histories add(Event event) {
        return add(event, null);
    }

    Histories completed(String step, @Nullable String output) {
        return add(new Event.StepCompleted(
                new StepName(step), output == null ? null : Json.of(output), at(events.size())));
    }

    /** Failed for the time being; tried again a second later. */
    Histories failed(String step, int attempt) {
        return add(new Event.StepFailed(new StepName(step), attempt, BROKEN, true), at(events.size() + 1));
    }

    Histories slept(String name, Duration length) {
        return add(new Event.SleepStarted(new StepName(name)), at(events.size()).plus(length));
    }

    /** When the event of this number happened. */
    static Instant at(int seq) {
        return START.plusSeconds(seq);
    }

    /** As a worker gets it, so long after the last event. */
    Assignment after(Duration later) {
        Instant now = events.getLast().at().plus(later);
        return new Assignment(
                new Held(run, new UUID(0, 1)),
                new WorkflowName("sample"),
                1,
                0,
                now,
                null,
                List.copyOf(events),
                mailbox);
    }

    /** The same with a signal in its mailbox, which came a second after the last event. */
    Histories signalled(String event, String payload) {
        List<Mailbox.Letter> letters = new ArrayList<>(mailbox.letters());
        letters.add(new Mailbox.Letter(
                mailbox.wakes() + 1,
                new EventName(event),
                Json.of(payload),
                events.getLast().at().plusSeconds(1)));
        mailbox = new Mailbox(mailbox.wakes() + 1, letters);
        return this;
    }

    Assignment assignment() {
        return after(Duration.ofSeconds(1));
    }

    /** What the code is to do next. */
    Command next(WorkflowCode<Json, Object> code) {
        return Replayer.next(workflow(code), Codec.standard(), assignment());
    }

    /** What the code ends with where its steps are done at once and sleeps end at once. */
    Command play(WorkflowCode<Json, Object> code) {
        return Replayer.play(workflow(code), Codec.standard(), assignment(), new AtOnce(assignment()));
    }
}
