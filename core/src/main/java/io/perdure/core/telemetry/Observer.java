package io.perdure.core.telemetry;

import io.perdure.core.store.Batch;
import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Committed.Contents;
import io.perdure.core.store.Committed.WokenRun;
import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.SizedSnapshots;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.worker.Held;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells meters and traces what became durable. It is told of every answer of the store, on the thread that the answer came to, and so is quick: it
 * counts, and where it lacks something it has that read elsewhere.
 *
 * @param meters absent where nobody counts
 * @param spans absent where nobody traces
 * @param claimed runs that are about to be read by who claimed them, and under which lease
 * @param elsewhere commits that are under way for workers elsewhere
 * @param again those of them that were sent before, and may have been applied then
 */
record Observer(
        Environment environment,
        RunCards cards,
        StoreMeters storeMeters,
        @Nullable RunMeters meters,
        @Nullable RunSpans spans,
        Map<RunId, UUID> claimed,
        Set<Mark> elsewhere,
        Set<Mark> again) {
    /** A commit of a worker, as nobody else's is. */
    record Mark(RunId run, UUID token, long seq) {}

    /**
     * Has heard of nothing.
     *
     * @param most how many runs may be about to be read: who has claimed them may fail to
     */
    Observer(
            Environment environment,
            RunCards cards,
            StoreMeters storeMeters,
            @Nullable RunMeters meters,
            @Nullable RunSpans spans,
            int most) {
        this(
                environment,
                cards,
                storeMeters,
                meters,
                spans,
                Latest.of(most),
                ConcurrentHashMap.newKeySet(),
                ConcurrentHashMap.newKeySet());
    }

    void called(StoreCall call, long nanos) {
        storeMeters.called(call, nanos);
    }

    void failed(StoreCall call) {
        storeMeters.failed(call);
    }

    void flushed(Batch batch, long nanos) {
        storeMeters.flushed(batch.commits().size(), nanos);
    }

    void committed(Commit commit, Outcome outcome) {
        switch (commit) {
            case RunCommit.Start start -> started(start, outcome);
            case RunCommit.Advance advance -> advanced(advance, outcome);
            case RunCommit.Intervene intervene -> {
                if (outcome instanceof Outcome.Appended appended) {
                    appended(intervene, appended, null, false);
                    cards.forget(intervene.run());
                }
            }
            case RunCommit.Signal signal -> signalled(signal, outcome);
            case QueueCommit.Settle settle -> {
                if (outcome instanceof Outcome.LeaseLost) {
                    storeMeters.lostMessage(settle.receipt());
                }
            }
            case QueueCommit _ -> {
                // The others need no lease.
            }
        }
    }

    private void started(RunCommit.Start start, Outcome outcome) {
        if (outcome instanceof Outcome.Started started) {
            cards.keep(RunCard.of(start, started.at()));
            if (meters != null) {
                meters.started(start.definition().workflow());
            }
        }
    }

    private void advanced(RunCommit.Advance advance, Outcome outcome) {
        Mark mark = new Mark(advance.run(), advance.token(), advance.seq());
        if (outcome instanceof Outcome.Appended appended) {
            appended(advance, appended, advance.token(), elsewhere.contains(mark));
            if (appended.status() != RunStatus.RUNNING) {
                cards.forget(advance.run());
            }
        } else if (outcome instanceof Outcome.LeaseLost lost && !again.contains(mark)) {
            lost(advance.run(), advance.token(), lost);
        }
    }

    /** Whoever wanted to go on with a run has lost its lease. */
    void lost(RunId run, UUID token, Outcome.LeaseLost lost) {
        if (isLost(lost.status())) {
            storeMeters.lostRun(new Receipt(MessageId.of(run), token));
        }
    }

    /** A run that was cancelled or parked took its lease along: that is no loss. */
    private static boolean isLost(@Nullable RunStatus status) {
        return status == null || status == RunStatus.RUNNING;
    }

    private void appended(RunCommit commit, Outcome.Appended appended, @Nullable UUID lease, boolean byOther) {
        if (appended.events().isEmpty()) {
            return;
        }
        Consumer<RunCard> then = run -> appended.events().forEach(recorded -> recorded(run, recorded, byOther));
        if (appended.status().isTerminal()) {
            long seq = appended.events().getLast().seq();
            cards.atEnd(new RunCards.End(commit.tenant(), commit.run(), lease, seq), then);
        } else {
            cards.with(commit.tenant(), commit.run(), then);
        }
    }

    private void recorded(RunCard run, Recorded recorded, boolean byOther) {
        if (meters != null) {
            meters.recorded(run, recorded);
        }
        if (spans == null) {
            return;
        }
        if (byOther) {
            spans.attempted(run, recorded);
        }
        switch (recorded.event()) {
            case Event.SleepStarted sleep -> spans.paused(run, sleep.name(), "sleep", recorded.at());
            case Event.WaitStarted wait -> spans.paused(run, wait.name(), "wait", recorded.at());
            case Event.RunCompleted _ -> spans.ended(run, RunStatus.COMPLETED, recorded.at());
            case Event.RunFailed _ -> spans.ended(run, RunStatus.FAILED, recorded.at());
            case Event.RunCancelled _ -> spans.ended(run, RunStatus.CANCELLED, recorded.at());
            case Event _ -> {
                // The others have no span of their own.
            }
        }
    }

    private void signalled(RunCommit.Signal signal, Outcome outcome) {
        if (outcome instanceof Outcome.Signalled(long _, boolean created) && created) {
            Instant now = environment.clock().instant();
            cards.with(signal.tenant(), signal.run(), run -> {
                if (meters != null) {
                    meters.signalled(run.workflow(), signal.event());
                }
                if (spans != null) {
                    spans.signalled(run, signal.event(), now);
                }
            });
        } else if (meters != null
                && outcome instanceof Outcome.Refused refused
                && refused.why() == Refusal.MAILBOX_FULL) {
            cards.with(signal.tenant(), signal.run(), run -> meters.refused(run.workflow()));
        }
    }

    /** A signal's commit brought the run along that it woke. */
    void woken(@Nullable WokenRun woken) {
        if (woken == null) {
            return;
        }
        ClaimedRun run = woken.claimed();
        Contents contents = woken.contents();
        if (contents == null) {
            claimed(List.of(run));
        } else {
            cards.keep(RunCard.of(new Held(run.run(), run.receipt().token()), run.version(), contents.history()));
            storeMeters.takenUp(contents.mailbox().size());
        }
    }

    void claimed(List<ClaimedRun> runs) {
        runs.forEach(run -> claimed.put(run.run(), run.receipt().token()));
    }

    /** Runs were read, by whoever has claimed them or somebody else. */
    void read(List<RunId> asked, SizedSnapshots found) {
        for (RunSnapshot snapshot : found.read()) {
            RunId run = snapshot.run().id();
            Integer version = snapshot.run().version();
            UUID token = claimed.remove(run);
            if (token != null && version != null) {
                cards.keep(RunCard.of(new Held(run, token), version, snapshot.history()));
                storeMeters.takenUp(snapshot.mailbox().size());
            }
        }
        // One that was too large for this read is read by another.
        asked.stream().filter(run -> !found.bytes().containsKey(run)).forEach(claimed::remove);
    }

    /** Leases were asked to last longer; answers in the same order. */
    void extended(List<Extend> leases, List<Extended> answers) {
        for (int i = 0; i < answers.size(); i++) {
            if (answers.get(i) instanceof Extended.Lost(RunStatus status)) {
                Receipt lease = leases.get(i).receipt();
                // Only a run has a status.
                if (status == null) {
                    storeMeters.lostMessage(lease);
                } else if (isLost(status)) {
                    storeMeters.lostRun(lease);
                }
            }
        }
    }

    void swept(Sweep what, int rows) {
        if (what == Sweep.RETIRED_RUNS && meters != null) {
            meters.swept(rows);
        }
    }
}
