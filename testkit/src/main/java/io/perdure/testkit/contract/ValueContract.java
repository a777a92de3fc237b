package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.core.store.RunCommit.Definition;
import io.perdure.core.store.RunCommit.Intervene;
import io.perdure.core.store.RunCommit.Signal;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.core.store.RunCommit.StartOptions;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import io.perdure.testkit.StoreFactory;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values come back to the letter, wherever they are kept. */
abstract class ValueContract extends StoreFixture {
    ValueContract(StoreFactory factory) {
        super(factory);
    }

    static List<String> values() {
        return List.of(
                "null",
                "\"\"",
                "\"\\u0000 and \\u0001\"",
                "\"🦀 é e\u0301 \u200f שלום\"",
                "\"\\ud800 \\udfff \\ud83e\\udd80\"",
                "1" + "0".repeat(400) + ".50e-7",
                "-0.0",
                "1E400",
                "123456789012345678901234567890",
                "{\"b\":1,\"a\":2 , \"c\" : [ ] }",
                "{\"\":{\"\\u0000\":\"'; drop table run; --\"}}",
                "[".repeat(100) + "]".repeat(100));
    }

    @ParameterizedTest
    @MethodSource("values")
    final void valuesComeBackToTheLetter(String text) {
        comesBack(Json.of(text));
    }

    @Test
    final void theLargestValueComesBackToTheLetter() {
        String filler = "aé🦀\\u0000";
        int bytes = Limits.defaults().values().inlineBytes();
        int unit = filler.getBytes(StandardCharsets.UTF_8).length;
        String text = '"' + filler.repeat((bytes - 2) / unit) + '"';
        Json value = Json.of(text);
        assertThat(value.bytes()).isBetween(bytes - unit, bytes);
        comesBack(value);
    }

    private void comesBack(Json value) {
        createQueue();
        Start start = start(value);
        expect(Outcome.Started.class, start);
        Holder holder = claimOnly();
        commit(new Signal(TENANT, start.run(), Events.VERIFY, value, null));
        Event step = new Event.StepCompleted(new StepName("a"), 1, value, Map.of("k", value), null, Instant.EPOCH);
        appended(holder.appends(1, step));
        assertThat(snapshot(start.run()).mailbox().getFirst().payload()).isEqualTo(value);
        appended(holder.appends(2, new Event.RunCompleted(value)));

        var snapshot = snapshot(start.run());
        assertThat(snapshot.run().definition()).isEqualTo(start.definition());
        assertThat(snapshot.history().get(0).event()).isEqualTo(created(start));
        assertThat(snapshot.history().get(1).event()).isEqualTo(step);
        assertThat(snapshot.history().get(2).event()).isEqualTo(new Event.RunCompleted(value));
        assertThat(snapshot.run().output()).isEqualTo(value);
        if (value.bytes() <= Limits.defaults().queues().messageBytes()) {
            sent(newMail().body(value.text()));
            assertThat(receiveOnly().message().body()).isEqualTo(value);
        }
    }

    private Start start(Json value) {
        Definition definition = new Definition(WORKFLOW, 1, RunKind.STEP_FLOW, value, Map.of("k", value));
        StartOptions options = new StartOptions(null, null, Due.never(), Map.of(), NewRun.RETENTION_DAYS, null);
        return new Start(TENANT, ids.runId(), definition, Due.atOnce(), null, options);
    }

    private static Event created(Start start) {
        Definition definition = start.definition();
        return new Event.RunCreated(
                WORKFLOW, 1, RunKind.STEP_FLOW, definition.input(), definition.writes(), null, null, null, Map.of());
    }

    @Test
    final void everyKindOfEventComesBackEqual() {
        Holder holder = startedAndHeld();
        commit(signal(holder.run(), Events.VERIFY));
        RunId child = ended(newRun().parent(holder.run()), Events.failed());
        List<Draft> drafts = workerEvents(child);
        List<Recorded> appended =
                appended(new Advance(TENANT, holder.run(), holder.token(), 1, drafts, List.of(), null));
        assertThat(appended)
                .extracting(Recorded::event)
                .isEqualTo(drafts.stream().map(Draft::event).toList());
        List<Event> interventions = List.of(
                Events.parked(),
                new Event.RunResumed("ops", "", 3),
                Events.parked(),
                Events.resumed(),
                new Event.RunFailed(new Failure("T", "m", new Failure("C", "", null))),
                Events.redriven(),
                Events.cancelled());
        for (Event event : interventions) {
            appended(
                    new Intervene(TENANT, holder.run(), OptionalLong.empty(), List.of(new Draft(event)), Due.atOnce()));
        }
        List<Recorded> history = snapshot(holder.run()).history();
        assertThat(history.subList(1, 1 + appended.size())).isEqualTo(appended);
        assertThat(history.subList(1 + appended.size(), history.size()))
                .extracting(Recorded::event)
                .isEqualTo(interventions);
    }

    private static List<Draft> workerEvents(RunId child) {
        StepName name = new StepName("step.1_a-b");
        Instant started = Instant.parse("2026-03-01T11:59:59.123456Z");
        return List.of(
                new Draft(new Event.StepStarted(name, 2)),
                new Draft(new Event.StepCompleted(name, null, started)),
                new Draft(new Event.StepCompleted(name, 3, Json.NULL, Map.of("a", Json.NULL), name, started)),
                new Draft(new Event.StepFailed(name, 1, Events.BROKEN, true, NOON), Due.in(MINUTE)),
                new Draft(new Event.StepFailed(name, 2, new Failure("", "", Events.BROKEN), false)),
                new Draft(new Event.SleepStarted(name), Due.in(HOUR)),
                new Draft(new Event.WaitStarted(name, Events.VERIFY, null), Due.never()),
                new Draft(new Event.WaitStarted(name, Events.VERIFY, Json.of("{\"id\":1}")), Due.at(NOON)),
                new Draft(new Event.EventReceived(name, Events.VERIFY, 1, Json.of("[]"))),
                new Draft(new Event.WaitTimedOut(name)),
                new Draft(new Event.ChildStarted(name, child, OTHER_WORKFLOW)),
                new Draft(new Event.ChildEnded(
                        name, child, RunStatus.FAILED, 2, null, new Failure("timeout", "after 30 s", null))));
    }

    @Test
    final void namesAndReasonsComeBackToTheLetter() {
        RunId run = started();
        Event parked = new Event.RunParked("línea\n2", "tab\t quote\" 🦀 '; --");
        appended(intervene(run, parked));
        assertThat(snapshot(run).history().getLast().event()).isEqualTo(parked);
    }
}
