package io.perdure.client;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.wire.FieldReader;
import io.perdure.sdk.wire.HistoryJson;
import io.perdure.sdk.wire.Words;
import java.util.List;

/**
 * Some of what has happened to a run.
 *
 * @param status how the run stood then, or a moment before
 * @param next the number of the event to ask for next
 * @param more whether that event is there already, though the page has fewer than were asked for
 */
record HistoryPage(List<Recorded> events, RunStatus status, long next, boolean more) {
    /** Most events that are asked for at once. */
    static final int LIMIT = 1_000;

    static HistoryPage read(Json json) {
        FieldReader read = FieldReader.of(json);
        return new HistoryPage(
                read.list("events", HistoryJson::recorded),
                read.parsed("status", word -> Words.parse(RunStatus.class, word)),
                read.integer("next"),
                read.flag("more"));
    }

    /** Whether the run has ended and nothing comes after this. */
    boolean isOver() {
        return events.isEmpty() ? status.isTerminal() : endsRun(events.getLast().event());
    }

    /** A failure is the end unless the run was redriven, which may be on the next page. */
    private boolean endsRun(Event event) {
        return event instanceof Event.RunCompleted
                || event instanceof Event.RunCancelled
                || (event instanceof Event.RunFailed && status == RunStatus.FAILED && !more && events.size() < LIMIT);
    }
}
