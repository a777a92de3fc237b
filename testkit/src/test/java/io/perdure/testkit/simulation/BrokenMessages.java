package io.perdure.testkit.simulation;

import io.perdure.core.store.Batch;
import io.perdure.core.store.Commit;
import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Store;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.testkit.ForwardingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Bugs in how messages are sent and settled. */
final class BrokenMessages {
    private BrokenMessages() {}

    static Commit retriesRejected(Commit commit) {
        return commit instanceof QueueCommit.Settle settle
                        && settle.verdict() instanceof QueueCommit.Verdict.Retry retry
                ? new QueueCommit.Settle(
                        settle.tenant(), settle.receipt(), new QueueCommit.Verdict.Reject(retry.error()))
                : commit;
    }

    /** Gives back for so long what was to be released, and counts the delivery. */
    static Store released(Store store, Duration delay) {
        return settled(
                store,
                verdict -> verdict instanceof Verdict.Release ? new Verdict.Retry(delay, "released") : verdict,
                (verdict, fate) -> verdict instanceof Verdict.Release && fate == Fate.RETRIED ? Fate.RELEASED : fate);
    }

    /** Lets go for good what was to become a dead letter. */
    static Store rejectedAndGone(Store store) {
        return settled(
                store,
                verdict -> verdict instanceof Verdict.Reject ? new Verdict.Done() : verdict,
                (verdict, fate) -> verdict instanceof Verdict.Reject && fate == Fate.DONE ? Fate.DEAD_LETTERED : fate);
    }

    /** Settles with another verdict than was asked for, and says that another fate came of it. */
    private static Store settled(Store store, UnaryOperator<Verdict> change, BiFunction<Verdict, Fate, Fate> told) {
        return new ForwardingStore(store) {
            @Override
            public List<Outcome> commit(Batch batch) {
                List<Outcome> outcomes = new ArrayList<>(store.commit(new Batch(
                        batch.lane(),
                        batch.number(),
                        batch.commits().stream()
                                .map(commit -> commit instanceof QueueCommit.Settle settle
                                        ? new QueueCommit.Settle(
                                                settle.tenant(),
                                                settle.receipt(),
                                                change.apply(settle.verdict()),
                                                settle.sends())
                                        : commit)
                                .toList())));
                for (int index = 0; index < outcomes.size(); index++) {
                    if (batch.commits().get(index) instanceof QueueCommit.Settle settle
                            && outcomes.get(index) instanceof Outcome.Settled settled) {
                        outcomes.set(
                                index,
                                new Outcome.Settled(told.apply(settle.verdict(), settled.fate()), settled.sent()));
                    }
                }
                return outcomes;
            }
        };
    }

    static Commit oneDeliveryMore(Commit commit) {
        if (commit instanceof QueueCommit.Create create) {
            QueueSettings settings = create.settings();
            return new QueueCommit.Create(
                    create.tenant(),
                    create.queue(),
                    new QueueSettings(
                            settings.visibility(),
                            settings.retries() + 1,
                            settings.deadLetters(),
                            settings.retention(),
                            settings.deadLetterRetention(),
                            settings.maxDelay()));
        }
        return commit;
    }

    static Commit ungrouped(Commit commit) {
        return messages(
                commit,
                message -> new NewMessage(
                        message.id(),
                        message.queue(),
                        message.body(),
                        message.headers(),
                        message.delay(),
                        null,
                        message.deduplicationId()));
    }

    static Commit undelayed(Commit commit) {
        return messages(
                commit,
                message -> new NewMessage(
                        message.id(),
                        message.queue(),
                        message.body(),
                        message.headers(),
                        Duration.ZERO,
                        message.group(),
                        message.deduplicationId()));
    }

    private static Commit messages(Commit commit, UnaryOperator<NewMessage> change) {
        return commit instanceof QueueCommit.Send send
                ? new QueueCommit.Send(
                        send.tenant(), send.messages().stream().map(change).toList())
                : commit;
    }

    /** Settles without the messages that were to leave with the verdict. */
    static Commit leftBehindByVerdicts(Commit commit) {
        return commit instanceof QueueCommit.Settle settle
                ? new QueueCommit.Settle(settle.tenant(), settle.receipt(), settle.verdict())
                : commit;
    }

    /** Settles a message whoever's it is, as its receipt has it. */
    static Store settledAcrossTenants(Store store) {
        return BrokenCommits.instead(
                store,
                commit -> commit instanceof QueueCommit.Settle settle
                        ? new QueueCommit.Settle(
                                owner(store, settle), settle.receipt(), settle.verdict(), settle.sends())
                        : commit);
    }

    private static TenantId owner(Store store, QueueCommit.Settle settle) {
        return World.TENANTS.stream()
                .filter(tenant -> World.QUEUES.stream()
                        .flatMap(queue -> Stream.of(queue, queue.deadLetters()))
                        .flatMap(queue -> store.messages(new MessageQuery(tenant, queue, false, null, 1_000)).stream())
                        .anyMatch(row -> row.id().equals(settle.receipt().message())))
                .findFirst()
                .orElse(settle.tenant());
    }
}
