package io.perdure.testkit.simulation;

import io.perdure.core.store.Commit;
import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.QueueSettings;
import io.perdure.core.store.Store;
import io.perdure.sdk.id.TenantId;
import java.time.Duration;
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
