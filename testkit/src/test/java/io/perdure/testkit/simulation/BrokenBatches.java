package io.perdure.testkit.simulation;

import io.perdure.core.store.Batch;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed;
import io.perdure.core.store.Commit;
import io.perdure.core.store.LaneId;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.core.store.Store;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.queue.SentMessage;
import io.perdure.testkit.ForwardingStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Bugs in how batches are taken apart, numbered and answered. */
final class BrokenBatches {
    private BrokenBatches() {}

    /** Takes every batch for a new one, also when it was sent before. */
    static Store resentAppliedAgain(Store store) {
        ProcessId process = new ProcessId(new UUID(1, 1));
        store.openLanes(process, 1);
        return new ForwardingStore(store) {
            private long number;

            @Override
            public List<Outcome> commit(Batch batch) {
                return store.commit(new Batch(new LaneId(process, 0), ++number, batch.commits()));
            }
        };
    }

    /** Says that somebody else was first, although the events were appended. */
    static Store appliedAnsweredAsConflict(Store store) {
        return new ForwardingStore(store) {
            @Override
            public List<Outcome> commit(Batch batch) {
                return store.commit(batch).stream()
                        .map(outcome -> outcome instanceof Outcome.Appended appended
                                        && appended.events().size() == 2
                                ? new Outcome.Conflict(
                                        appended.events().getLast().seq())
                                : outcome)
                        .toList();
            }
        };
    }

    /** Puts every signal into the mailbox twice. */
    static Store signalDoubled(Store store) {
        return new ForwardingStore(store) {
            @Override
            public List<Outcome> commit(Batch batch) {
                List<Commit> commits = new ArrayList<>(batch.commits());
                batch.commits().stream()
                        .filter(commit -> commit instanceof RunCommit.Signal signal && signal.deduplicationId() == null)
                        .forEach(commits::add);
                return store.commit(new Batch(batch.lane(), batch.number(), commits))
                        .subList(0, batch.commits().size());
            }
        };
    }

    /** Loses the last of several messages that are sent together, and answers for all of them. */
    static Store messageDropped(Store store) {
        return new ForwardingStore(store) {
            @Override
            public List<Outcome> commit(Batch batch) {
                List<Outcome> outcomes = new ArrayList<>(store.commit(new Batch(
                        batch.lane(),
                        batch.number(),
                        batch.commits().stream()
                                .map(commit -> shortened(commit))
                                .toList())));
                for (int index = 0; index < outcomes.size(); index++) {
                    if (batch.commits().get(index) instanceof QueueCommit.Send send
                            && outcomes.get(index) instanceof Outcome.Sent sent
                            && sent.messages().size() < send.messages().size()) {
                        List<SentMessage> all = new ArrayList<>(sent.messages());
                        all.add(new SentMessage(send.messages().getLast().id(), true));
                        outcomes.set(index, new Outcome.Sent(all));
                    }
                }
                return outcomes;
            }
        };
    }

    private static Commit shortened(Commit commit) {
        return commit instanceof QueueCommit.Send send && send.messages().size() > 1
                ? new QueueCommit.Send(
                        send.tenant(),
                        send.messages().subList(0, send.messages().size() - 1))
                : commit;
    }

    /** Lets any worker that ever held a run write to it, at whatever number is next. */
    static Store fencingOff(Store store) {
        return new ForwardingStore(store) {
            private final Map<RunId, UUID> holders = new HashMap<>();

            @Override
            public Claimed claim(ClaimRuns request) {
                Claimed claimed = store.claim(request);
                claimed.runs()
                        .forEach(run -> holders.put(run.run(), run.receipt().token()));
                return claimed;
            }

            @Override
            public List<Outcome> commit(Batch batch) {
                return store.commit(new Batch(
                        batch.lane(),
                        batch.number(),
                        batch.commits().stream().map(this::unfenced).toList()));
            }

            private Commit unfenced(Commit commit) {
                if (!(commit instanceof Advance advance)) {
                    return commit;
                }
                long next = store.snapshots(advance.tenant(), List.of(advance.run())).stream()
                        .findFirst()
                        .map(snapshot -> snapshot.last() + 1)
                        .orElse(advance.seq());
                return new Advance(
                        advance.tenant(),
                        advance.run(),
                        holders.getOrDefault(advance.run(), advance.token()),
                        next,
                        advance.events(),
                        advance.sends(),
                        advance.release());
            }
        };
    }
}
