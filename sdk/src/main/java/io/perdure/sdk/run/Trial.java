package io.perdure.sdk.run;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.worker.Assignment;
import io.perdure.sdk.worker.Command;
import io.perdure.sdk.worker.Held;
import io.perdure.sdk.worker.Mailbox;
import io.perdure.sdk.worker.Registry;
import io.perdure.sdk.worker.Replayer;
import io.perdure.sdk.workflow.WorkflowDefinition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Replays a run's history with the code of a version, to see whether it could go on with it. Nothing is changed, and no step is run.
 *
 * @param run the run, read together with its history
 * @param mailbox the signals that it has not taken
 * @param now the time, by the store's clock
 */
public record Trial(RunInfo run, List<Recorded> history, Mailbox mailbox, Instant now) {
    /** Nobody holds a run that is only tried. */
    private static final UUID NO_LEASE = new UUID(0, 0);

    public Trial {
        history = List.copyOf(history);
    }

    /** Whether it fits; {@code PD-302} where the run has ended, {@code PD-508} where that version's code is not registered. */
    public Fit of(Registry registry, Codec codec, int version) {
        RunId id = run.id();
        if (run.status().isTerminal()) {
            throw new RefusedException(
                    ErrorCode.RUN_ENDED,
                    "Run %s is %s and does not go on."
                            .formatted(id, run.status().word()));
        }
        WorkflowDefinition definition = registry.require(run.workflow(), version);
        Command next = Replayer.next(definition, codec, resumed(version));
        long last = history.getLast().seq();
        return switch (next) {
            case Command.Park park -> new Fit(id, definition.name(), version, last, false, bare(park));
            // Code that throws would end the run.
            case Command.Fail _ ->
                new Fit(id, definition.name(), version, last, false, "The code " + WhatNext.of(next) + ".");
            case Command _ -> new Fit(id, definition.name(), version, last, true, WhatNext.of(next));
        };
    }

    /** The run as a worker would have it, were it put back to work now. */
    private Assignment resumed(int version) {
        List<Recorded> events = new ArrayList<>(history);
        events.add(
                new Recorded(events.getLast().seq() + 1, now, null, new Event.RunResumed("trial", "check", version)));
        return new Assignment(
                new Held(run.id(), NO_LEASE), run.workflow(), version, 0, now, run.deadline(), events, mailbox);
    }

    /** What the code did not fit by, without the code and the remedy of who parks: nobody is parked here. */
    private static String bare(Command.Park park) {
        return Stream.of(ErrorCode.values())
                .filter(code -> code.code().equals(park.reason()))
                .findFirst()
                .map(code -> park.detail().replace(code.code() + " ", "").replace(" " + code.remedy(), ""))
                .orElse(park.detail());
    }
}
