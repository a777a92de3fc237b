package io.perdure.testkit.invariant;

import io.perdure.core.store.RunRow;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Invariant 3. A run ends once: nothing follows its end but a redrive of a failed one, and its row says what its history says. */
final class OneTerminalState extends Rule {
    OneTerminalState() {
        super(
                3,
                "Every acknowledged start reaches exactly one terminal state, never changed after (failed to running only by"
                        + " a redrive), or is parked and repairable.");
    }

    @Override
    void look(Trace trace, Findings findings) {
        for (RunStory story : trace.runs().values()) {
            List<RunStatus> statuses = new ArrayList<>();
            RunStatus status = RunStatus.RUNNING;
            for (Recorded recorded : story.history()) {
                if (recorded.seq() > 0) {
                    Optional<RunStatus> next = status.after(recorded.event());
                    if (next.isEmpty()) {
                        findings.add(
                                story.key,
                                position(story, recorded),
                                "%s follows although the run was %s".formatted(recorded.event(), status.word()));
                    }
                    status = next.orElse(status);
                }
                statuses.add(status);
            }
            story.reads.forEach(read -> row(story, read, statuses, findings));
        }
    }

    private static int position(RunStory story, Recorded recorded) {
        RunStory.Sighting sighting = story.events.get(recorded.seq());
        return sighting == null ? 0 : sighting.position();
    }

    private static void row(RunStory story, Noted<Fact.RunRead> read, List<RunStatus> statuses, Findings findings) {
        RunRow row = read.fact().snapshot().run();
        int length = read.fact().snapshot().history().size();
        if (length == 0 || length > statuses.size()) {
            return;
        }
        RunStatus told = statuses.get(length - 1);
        if (row.status() != told) {
            findings.add(
                    story.key,
                    read.position(),
                    "its row says %s, its history %s".formatted(row.status().word(), told.word()));
        }
        if ((row.completedAt() != null) != row.status().isTerminal()) {
            findings.add(
                    story.key,
                    read.position(),
                    "it is %s and ended at %s".formatted(row.status().word(), row.completedAt()));
        }
    }
}
