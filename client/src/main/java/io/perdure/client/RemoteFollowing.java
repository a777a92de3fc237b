package io.perdure.client;

import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.run.Following;
import java.time.Duration;
import java.util.List;

/** Tells what happens to a run as it happens: the server holds its answer back until there is something to tell. For one thread at a time. */
final class RemoteFollowing implements Following {
    private final Polls polls;
    private final RunId run;
    private long next;
    private boolean over;

    RemoteFollowing(Polls polls, RunId run, long from) {
        this.polls = polls;
        this.run = run;
        this.next = from;
    }

    @Override
    public List<Recorded> next(Duration atMost) {
        if (over) {
            return List.of();
        }
        HistoryPage page = polls.until(
                RemoteRuns.historyPath(run, next),
                "what happens to run " + run,
                atMost,
                HistoryPage::read,
                found -> !found.events().isEmpty() || found.isOver());
        next = page.next();
        over = page.isOver();
        return page.events();
    }

    @Override
    public boolean isOver() {
        return over;
    }

    @Override
    public void close() {
        // Nothing is held between two questions.
    }
}
