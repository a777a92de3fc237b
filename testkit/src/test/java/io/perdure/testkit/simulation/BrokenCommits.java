package io.perdure.testkit.simulation;

import io.perdure.core.store.Batch;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.core.store.RunCommit.StartOptions;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.Store;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.worker.Release;
import io.perdure.testkit.ForwardingStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** Bugs in how commits are applied: each changes what reaches the store, or the answer, or both. */
final class BrokenCommits {
    private BrokenCommits() {}

    /** Applies another commit than the one that was asked for, and answers as if it were the same. */
    static Store instead(Store store, UnaryOperator<Commit> change) {
        return new ForwardingStore(store) {
            @Override
            public List<Outcome> commit(Batch batch) {
                return store.commit(new Batch(
                        batch.lane(),
                        batch.number(),
                        batch.commits().stream().map(change).toList()));
            }
        };
    }

    /** Answers some commits without applying them. */
    static Store unapplied(Store store, BiFunction<Commit, Instant, Optional<Outcome>> lie) {
        return new ForwardingStore(store) {
            private final Map<Batch, List<Outcome>> lies = new HashMap<>();

            @Override
            public List<Outcome> commit(Batch batch) {
                List<Optional<Outcome>> told = batch.commits().stream()
                        .map(commit -> lie.apply(commit, store.now()))
                        .toList();
                if (told.stream().allMatch(Optional::isPresent)) {
                    // The lane must go on, so a harmless commit takes the number.
                    store.commit(new Batch(batch.lane(), batch.number(), List.of(harmless())));
                    return lies.computeIfAbsent(
                            batch, _ -> told.stream().map(Optional::orElseThrow).toList());
                }
                return store.commit(batch);
            }
        };
    }

    private static Commit harmless() {
        return new QueueCommit.Create(new TenantId("elsewhere"), World.JOBS, QueueSettings.defaults());
    }

    static Optional<Outcome> completionsAcknowledged(Commit commit, Instant now) {
        return commit instanceof Advance advance
                        && advance.release() == null
                        && advance.events().getLast().event() instanceof Event.StepCompleted
                ? Optional.of(appended(advance.seq(), advance.events(), RunStatus.RUNNING, now))
                : Optional.empty();
    }

    static Optional<Outcome> startsAcknowledged(Commit commit, Instant now) {
        return commit instanceof Start start && start.run().hashCode() % 4 == 0
                ? Optional.of(new Outcome.Started(now, null))
                : Optional.empty();
    }

    static Optional<Outcome> settlementsAcknowledged(Commit commit, Instant now) {
        return commit instanceof QueueCommit.Settle settle && settle.verdict() instanceof QueueCommit.Verdict.Done
                ? Optional.of(new Outcome.Settled(Fate.DONE))
                : Optional.empty();
    }

    static Outcome appended(long seq, List<Draft> drafts, RunStatus status, Instant now) {
        List<Recorded> events = new ArrayList<>();
        for (Draft draft : drafts) {
            Due until = draft.until();
            events.add(
                    new Recorded(seq + events.size(), now, until == null ? null : until.fixedAt(now), draft.event()));
        }
        return new Outcome.Appended(events, status);
    }

    /** A cancel that is acknowledged with the right number, and does nothing. */
    static Store cancelIgnored(Store store) {
        return unapplied(
                store,
                (commit, now) -> commit instanceof RunCommit.Intervene intervene
                                && intervene.events().getFirst().event() instanceof Event.RunCancelled
                        ? store.snapshots(intervene.tenant(), List.of(intervene.run())).stream()
                                .filter(snapshot -> snapshot.run().status() == RunStatus.RUNNING)
                                .findFirst()
                                .map(snapshot ->
                                        appended(snapshot.last() + 1, intervene.events(), RunStatus.CANCELLED, now))
                        : Optional.empty());
    }

    /** A suspension that does not look whether the run was woken since. */
    static Store wakesIgnored(Store store) {
        return instead(store, commit -> {
            if (commit instanceof Advance advance && advance.release() != null) {
                Release release = advance.release();
                long wakes = store.run(advance.tenant(), advance.run())
                        .map(RunRow::wakes)
                        .orElse(0L);
                return with(advance, new Release(release.ready(), release.wakeOn(), wakes));
            }
            return commit;
        });
    }

    static Commit timersHalved(Commit commit) {
        return commit instanceof Advance advance
                ? new Advance(
                        advance.tenant(),
                        advance.run(),
                        advance.token(),
                        advance.seq(),
                        advance.events().stream().map(BrokenCommits::halved).toList(),
                        advance.sends(),
                        advance.release())
                : commit;
    }

    private static Draft halved(Draft draft) {
        return draft.until() instanceof Due.In(Duration delay)
                ? new Draft(draft.event(), Due.in(delay.dividedBy(2)))
                : draft;
    }

    static Commit releasedAtOnce(Commit commit) {
        return commit instanceof Advance advance && advance.release() != null
                ? with(
                        advance,
                        new Release(
                                Due.atOnce(),
                                advance.release().wakeOn(),
                                advance.release().wakes()))
                : commit;
    }

    static Commit dueInAYear(Commit commit) {
        return commit instanceof Advance advance && advance.release() != null
                ? with(
                        advance,
                        new Release(
                                Due.in(Duration.ofDays(365)),
                                advance.release().wakeOn(),
                                advance.release().wakes()))
                : commit;
    }

    private static Advance with(Advance advance, Release release) {
        return new Advance(
                advance.tenant(),
                advance.run(),
                advance.token(),
                advance.seq(),
                advance.events(),
                advance.sends(),
                release);
    }

    static Commit messagesLeftBehind(Commit commit) {
        return commit instanceof Advance advance
                ? new Advance(
                        advance.tenant(),
                        advance.run(),
                        advance.token(),
                        advance.seq(),
                        advance.events(),
                        List.of(),
                        advance.release())
                : commit;
    }

    static Commit lastEventLost(Commit commit) {
        return commit instanceof Advance advance && advance.events().size() > 1
                ? new Advance(
                        advance.tenant(),
                        advance.run(),
                        advance.token(),
                        advance.seq(),
                        advance.events().subList(0, advance.events().size() - 1),
                        advance.sends(),
                        advance.release())
                : commit;
    }

    static Commit withoutWorkflowId(Commit commit) {
        return commit instanceof Start start ? with(start, start.options().idempotencyKey() != null, false) : commit;
    }

    static Commit withoutKey(Commit commit) {
        return commit instanceof Start start
                ? with(start, false, start.options().workflowId() != null)
                : commit;
    }

    private static Start with(Start start, boolean key, boolean workflowId) {
        StartOptions options = start.options();
        return new Start(
                start.tenant(),
                start.run(),
                start.definition(),
                start.ready(),
                start.lease(),
                new StartOptions(
                        key ? options.idempotencyKey() : null,
                        workflowId ? options.workflowId() : null,
                        options.deadline(),
                        options.tags(),
                        options.retentionDays(),
                        options.parent()));
    }
}
