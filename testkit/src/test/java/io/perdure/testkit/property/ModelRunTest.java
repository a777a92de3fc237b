package io.perdure.testkit.property;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.core.store.Batch;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed;
import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Commit;
import io.perdure.core.store.LaneId;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.core.store.RunCommit.Signal;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.Store;
import io.perdure.core.store.memory.MemoryStore;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.worker.Release;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A run that has never failed proves nothing: each of these stores has one planted fault, and the run must find it. */
class ModelRunTest {
    private static final long SEED = 7;

    private static void finds(UnaryOperator<Store> fault) {
        findsIn((clock, limits) -> fault.apply(new MemoryStore(clock, limits)));
    }

    private static void findsIn(StoreFactory faulty) {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> ModelRun.check(faulty, SEED))
                .withMessageContaining("Seed 7, operation ")
                .withMessageContaining("-Dperdure.seed=7");
    }

    @Test
    void theSameSeedDrawsTheSameOperations() {
        assertThat(batchesOf(SEED)).isEqualTo(batchesOf(SEED)).isNotEqualTo(batchesOf(SEED + 1));
    }

    private static List<Batch> batchesOf(long seed) {
        List<Batch> batches = new ArrayList<>();
        ModelRun.check(
                (clock, limits) -> new FaultyStore(new MemoryStore(clock, limits)) {
                    @Override
                    public List<Outcome> commit(Batch batch) {
                        batches.add(batch);
                        return store.commit(batch);
                    }
                },
                seed);
        return batches;
    }

    @Test
    void aStoreThatRefreshesStaleTokensIsFound() {
        finds(store -> new FaultyStore(store) {
            private final Map<RunId, UUID> newest = new HashMap<>();

            @Override
            public Claimed claim(ClaimRuns request) {
                Claimed claimed = store.claim(request);
                claimed.runs()
                        .forEach(run -> newest.put(run.run(), run.receipt().token()));
                return claimed;
            }

            @Override
            Commit bent(Commit commit) {
                return commit instanceof Advance advance
                        ? new Advance(
                                advance.tenant(),
                                advance.run(),
                                newest.getOrDefault(advance.run(), advance.token()),
                                advance.seq(),
                                advance.events(),
                                advance.sends(),
                                advance.release())
                        : commit;
            }
        });
    }

    @Test
    void aStoreThatDropsASignalIsFound() {
        finds(store -> new FaultyStore(store) {
            private int signals;
            private final Map<Commit, Outcome> dropped = new HashMap<>();

            @Override
            Commit bent(Commit commit) {
                Optional<RunRow> run =
                        commit instanceof Signal signal ? store.run(signal.tenant(), signal.run()) : Optional.empty();
                if (commit instanceof Signal signal
                        && run.isPresent()
                        && !run.get().status().isTerminal()) {
                    signals++;
                    if (signals % 50 == 0) {
                        dropped.put(commit, new Outcome.Signalled(run.get().wakes() + 1, true));
                        RunId nobody = new RunId(new UUID(0, 0));
                        return new Signal(signal.tenant(), nobody, signal.event(), signal.payload(), null);
                    }
                }
                return commit;
            }

            @Override
            Outcome bent(Commit commit, Outcome outcome) {
                return dropped.getOrDefault(commit, outcome);
            }
        });
    }

    @Test
    void aStoreThatCountsReleasedDeliveriesIsFound() {
        finds(store -> new FaultyStore(store) {
            @Override
            Commit bent(Commit commit) {
                return commit instanceof Settle(var tenant, var receipt, Verdict.Release(), var sends)
                        ? new Settle(tenant, receipt, new Verdict.Retry(Duration.ZERO, ""), sends)
                        : commit;
            }

            @Override
            Outcome bent(Commit commit, Outcome outcome) {
                return commit instanceof Settle(var _, var _, Verdict.Release(), var _)
                                && outcome instanceof Outcome.Settled(Fate fate, var sent)
                                && fate == Fate.RETRIED
                        ? new Outcome.Settled(Fate.RELEASED, sent)
                        : outcome;
            }
        });
    }

    @Test
    void aStoreThatDeliversBeforeDueIsFound() {
        AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
        Duration skew = Duration.ofSeconds(2);
        findsIn((clock, limits) -> new FaultyStore(
                new MemoryStore(() -> clock.instant().plus(ahead.get()), limits)) {
            @Override
            public Received receive(Receive request) {
                Lease lease = new Lease(
                        request.lease().token(), request.lease().length().minus(skew));
                ahead.set(skew);
                try {
                    return store.receive(
                            new Receive(request.tenant(), request.queue(), request.max(), lease, request.only()));
                } finally {
                    ahead.set(Duration.ZERO);
                }
            }
        });
    }

    @Test
    void aStoreThatAppliesAResentBatchAgainIsFound() {
        finds(store -> new FaultyStore(store) {
            private final Map<LaneId, Long> numbers = new HashMap<>();

            @Override
            public List<Outcome> commit(Batch batch) {
                long next = numbers.merge(batch.lane(), 1L, Long::sum);
                return store.commit(new Batch(batch.lane(), next, batch.commits()));
            }
        });
    }

    @Test
    void aStoreThatAnswersWithTheWrongWinnerIsFound() {
        finds(store -> new FaultyStore(store) {
            @Override
            Outcome bent(Commit commit, Outcome outcome) {
                return commit instanceof Start start && outcome instanceof Outcome.Duplicate duplicate
                        ? new Outcome.Duplicate(start.run(), duplicate.status(), duplicate.key())
                        : outcome;
            }
        });
    }

    @Test
    void aStoreThatLosesAWakeUpIsFound() {
        finds(store -> new FaultyStore(store) {
            @Override
            Commit bent(Commit commit) {
                if (!(commit instanceof Advance advance) || advance.release() == null) {
                    return commit;
                }
                long wakes = store.run(advance.tenant(), advance.run())
                        .map(RunRow::wakes)
                        .orElse(0L);
                return new Advance(
                        advance.tenant(),
                        advance.run(),
                        advance.token(),
                        advance.seq(),
                        advance.events(),
                        advance.sends(),
                        new Release(advance.release().ready(), advance.release().wakeOn(), wakes));
            }
        });
    }

    @Test
    void aStoreThatForgetsLapsesIsFound() {
        finds(store -> new FaultyStore(store) {
            @Override
            public Claimed claim(ClaimRuns request) {
                Claimed claimed = store.claim(request);
                return new Claimed(
                        claimed.runs().stream()
                                .map(run -> new ClaimedRun(
                                        run.run(), run.workflow(), run.version(), run.receipt(), 0, run.leasedUntil()))
                                .toList(),
                        claimed.nextReady());
            }
        });
    }

    @Test
    void aStoreThatTurnsAroundTheMessagesOfASendIsFound() {
        finds(store -> new FaultyStore(store) {
            @Override
            Commit bent(Commit commit) {
                return commit instanceof Send send
                        ? new Send(send.tenant(), send.messages().reversed())
                        : commit;
            }

            @Override
            Outcome bent(Commit commit, Outcome outcome) {
                return outcome instanceof Outcome.Sent sent
                        ? new Outcome.Sent(sent.messages().reversed())
                        : outcome;
            }
        });
    }

    @Test
    void aStoreThatLetsKeysCrossTenantsIsFound() {
        finds(store -> new FaultyStore(store) {
            @Override
            public Optional<RunId> runOf(TenantId tenant, WorkflowName workflow, IdempotencyKey key) {
                return World.TENANTS.stream()
                        .flatMap(any -> store.runOf(any, workflow, key).stream())
                        .findFirst();
            }
        });
    }

    @Test
    void aStoreThatSaysTooLateWhenToAskAgainIsFound() {
        finds(store -> WrongReads.lateClaims(store, Duration.ofSeconds(1)));
        finds(store -> WrongReads.lateReceives(store, Duration.ofHours(1)));
    }

    @Test
    void aStoreThatNeverSaysWhenToAskAgainIsFound() {
        finds(WrongReads::silentClaims);
        finds(WrongReads::silentReceives);
    }

    @Test
    void aStoreThatCountsGroupsInAnotherWayIsFound() {
        finds(store -> WrongReads.groupNumbers(store, number -> number * 10));
    }

    @Test
    void aStoreThatShowsNoHistoryIsFound() {
        finds(WrongReads::emptyHistories);
    }

    @Test
    void aStoreThatShowsNoRunIsFound() {
        finds(WrongReads::noRuns);
    }
}
