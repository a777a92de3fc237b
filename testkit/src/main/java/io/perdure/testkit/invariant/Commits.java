package io.perdure.testkit.invariant;

import io.perdure.core.store.Commit;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.RunCommit;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Event;
import java.util.List;

/** What can be told from a commit alone. Each kind is named, so that a new one is looked at. */
final class Commits {
    private Commits() {}

    /** What a commit asks to be appended to a history; the event that a start brings is made by the store. */
    static List<Draft> drafts(Commit commit) {
        return switch (commit) {
            case RunCommit.Advance advance -> advance.events();
            case RunCommit.Intervene intervene -> intervene.events();
            case RunCommit.Start _, RunCommit.Signal _ -> List.of();
            case QueueCommit _ -> List.of();
        };
    }

    static List<Event> events(Commit commit) {
        return drafts(commit).stream().map(Draft::event).toList();
    }
}
