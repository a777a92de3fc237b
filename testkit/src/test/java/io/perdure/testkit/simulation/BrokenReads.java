package io.perdure.testkit.simulation;

import io.perdure.core.store.Batch;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunQuery;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.Store;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.QueueFigures;
import io.perdure.testkit.ForwardingStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Bugs in what reads answer with. */
final class BrokenReads {
    private BrokenReads() {}

    /** Answers every second read of runs with something else than is there. */
    static Store everySecond(Store store, UnaryOperator<RunSnapshot> change) {
        return new ForwardingStore(store) {
            private int reads;

            @Override
            public List<RunSnapshot> snapshots(TenantId tenant, List<RunId> runs) {
                List<RunSnapshot> found = store.snapshots(tenant, runs);
                reads++;
                return reads % 2 == 0 ? found : found.stream().map(change).toList();
            }
        };
    }

    private static RunSnapshot with(RunSnapshot snapshot, List<Recorded> history) {
        return new RunSnapshot(snapshot.run(), history, snapshot.mailbox(), snapshot.message());
    }

    static RunSnapshot rewritten(RunSnapshot snapshot) {
        return with(
                snapshot,
                snapshot.history().stream()
                        .map(recorded -> recorded.event() instanceof Event.StepCompleted step
                                ? new Recorded(
                                        recorded.seq(),
                                        recorded.at(),
                                        recorded.until(),
                                        new Event.StepCompleted(step.step(), Json.number(-1), step.startedAt()))
                                : recorded)
                        .toList());
    }

    static RunSnapshot withAGap(RunSnapshot snapshot) {
        return snapshot.history().size() < 3
                ? snapshot
                : with(
                        snapshot,
                        snapshot.history().stream()
                                .filter(recorded -> recorded.seq() != 1)
                                .toList());
    }

    /** As from a replica that lags behind by one event of this kind. */
    static RunSnapshot lagging(RunSnapshot snapshot, Class<? extends Event> kind) {
        List<Recorded> history = snapshot.history();
        return kind.isInstance(history.getLast().event())
                ? with(snapshot, history.subList(0, history.size() - 1))
                : snapshot;
    }

    static RunSnapshot cancelledAfterwards(RunSnapshot snapshot) {
        if (snapshot.run().status() != RunStatus.COMPLETED) {
            return snapshot;
        }
        List<Recorded> history = new ArrayList<>(snapshot.history());
        history.add(new Recorded(
                history.size(), history.getLast().at(), null, new Event.RunCancelled("somebody", "too late")));
        return with(snapshot, history);
    }

    static RunSnapshot parkedWithMessage(RunSnapshot snapshot) {
        return snapshot.run().status() == RunStatus.PARKED
                ? new RunSnapshot(
                        snapshot.run(),
                        snapshot.history(),
                        snapshot.mailbox(),
                        new RunSnapshot.RunMessage(
                                QueueName.ofRuns(snapshot.run().definition().workflow(), null),
                                Due.FAR_FUTURE,
                                false,
                                Set.of()))
                : snapshot;
    }

    static RunSnapshot emptyMailbox(RunSnapshot snapshot) {
        return new RunSnapshot(snapshot.run(), snapshot.history(), List.of(), snapshot.message());
    }

    /** Begins every page of a history one event too late. */
    static Store pagesShifted(Store store) {
        return new ForwardingStore(store) {
            @Override
            public List<Recorded> history(TenantId tenant, RunId run, long from, int limit) {
                return store.history(tenant, run, from + 1, limit);
            }
        };
    }

    /** Finds no event on any second page of a history. */
    static Store pagesEmpty(Store store) {
        return new ForwardingStore(store) {
            private int reads;

            @Override
            public List<Recorded> history(TenantId tenant, RunId run, long from, int limit) {
                return ++reads % 2 == 0 ? List.of() : store.history(tenant, run, from, limit);
            }
        };
    }

    /** Finds the history of a run under any tenant. */
    static Store historyAcrossTenants(Store store) {
        return new ForwardingStore(store) {
            @Override
            public List<Recorded> history(TenantId tenant, RunId run, long from, int limit) {
                return World.TENANTS.stream()
                        .map(any -> store.history(any, run, from, limit))
                        .filter(events -> !events.isEmpty())
                        .findFirst()
                        .orElse(List.of());
            }
        };
    }

    /** Finds a run under any tenant. */
    static Store acrossTenants(Store store) {
        return new ForwardingStore(store) {
            @Override
            public List<RunSnapshot> snapshots(TenantId tenant, List<RunId> runs) {
                return World.TENANTS.stream()
                        .flatMap(any -> store.snapshots(any, runs).stream())
                        .toList();
            }
        };
    }

    /** Loses the notice of a child's end if its parent had failed by then. */
    static Store childNoticeLost(Store store) {
        return new ForwardingStore(store) {
            private final Map<RunId, Set<Long>> lost = new HashMap<>();

            @Override
            public List<Outcome> commit(Batch batch) {
                List<Outcome> outcomes = store.commit(batch);
                for (int index = 0; index < outcomes.size(); index++) {
                    if (batch.commits().get(index) instanceof RunCommit commit
                            && outcomes.get(index) instanceof Outcome.Appended appended
                            && appended.status().isTerminal()) {
                        ended(commit.tenant(), commit.run());
                    }
                }
                return outcomes;
            }

            private void ended(TenantId tenant, RunId run) {
                store.run(tenant, run)
                        .flatMap(child -> Optional.ofNullable(child.parent()))
                        .flatMap(parent -> store.run(tenant, parent))
                        .filter(parent -> parent.status() == RunStatus.FAILED)
                        .ifPresent(parent -> lost.computeIfAbsent(parent.id(), _ -> new HashSet<>())
                                .add(parent.wakes()));
            }

            @Override
            public List<RunSnapshot> snapshots(TenantId tenant, List<RunId> runs) {
                return store.snapshots(tenant, runs).stream().map(this::bereft).toList();
            }

            private RunSnapshot bereft(RunSnapshot snapshot) {
                Set<Long> numbers = lost.getOrDefault(snapshot.run().id(), Set.of());
                return new RunSnapshot(
                        snapshot.run(),
                        snapshot.history(),
                        snapshot.mailbox().stream()
                                .filter(entry -> !numbers.contains(entry.number()))
                                .toList(),
                        snapshot.message());
            }
        };
    }

    /** Counts one message too many as come in. */
    static Store figuresOff(Store store) {
        return new ForwardingStore(store) {
            @Override
            public Optional<QueueFigures> figures(TenantId tenant, QueueName queue) {
                return store.figures(tenant, queue)
                        .map(figures -> new QueueFigures(
                                figures.ready(),
                                figures.delayed(),
                                figures.leased(),
                                figures.oldest(),
                                figures.in() + 1,
                                figures.out(),
                                figures.retried(),
                                figures.deadLettered(),
                                figures.expired()));
            }
        };
    }

    /** Sweeps a run that has not ended. */
    static Store liveRunSwept(Store store) {
        return new ForwardingStore(store) {
            private final Set<RunId> gone = new HashSet<>();

            @Override
            public int sweep(Sweep what, int limit) {
                if (what == Sweep.RETIRED_RUNS) {
                    World.TENANTS.forEach(tenant -> store.runs(RunQuery.all(tenant, 100)).runs().stream()
                            .filter(row -> row.status() == RunStatus.RUNNING)
                            .findFirst()
                            .map(RunRow::id)
                            .ifPresent(gone::add));
                }
                return store.sweep(what, limit);
            }

            @Override
            public List<RunSnapshot> snapshots(TenantId tenant, List<RunId> runs) {
                return store.snapshots(tenant, runs).stream()
                        .filter(snapshot -> !gone.contains(snapshot.run().id()))
                        .toList();
            }
        };
    }
}
