package io.perdure.testkit.simulation;

import io.perdure.core.store.Batch;
import io.perdure.core.store.Commit;
import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.Store;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.queue.Fate;
import io.perdure.testkit.ForwardingStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Bugs in which message of a group may go next. */
final class BrokenGroups {
    private static final MessageId NOBODY = new MessageId(new UUID(0, 0));

    private BrokenGroups() {}

    /** Forgets to let the next of a group go when its head is done. */
    static Store nextForgotten(Store store) {
        return new ForwardingStore(store) {
            private final Set<MessageId> forgotten = new HashSet<>();

            @Override
            public List<Outcome> commit(Batch batch) {
                List<Optional<MessageRow>> next = batch.commits().stream()
                        .map(commit -> settled(store, commit).flatMap(row -> behind(store, commit.tenant(), row)))
                        .toList();
                List<Outcome> outcomes = store.commit(batch);
                for (int index = 0; index < outcomes.size(); index++) {
                    if (outcomes.get(index) instanceof Outcome.Settled settled && settled.fate() == Fate.DONE) {
                        next.get(index).map(MessageRow::id).ifPresent(forgotten::add);
                    }
                }
                return outcomes;
            }

            @Override
            public Received receive(Receive request) {
                Set<MessageId> known = rows(store, request.tenant(), request.queue())
                        .map(MessageRow::id)
                        .filter(id -> !forgotten.contains(id))
                        .collect(Collectors.toSet());
                // An empty set would ask for all of them.
                known.add(NOBODY);
                return store.receive(
                        new Receive(request.tenant(), request.queue(), request.max(), request.lease(), known));
            }
        };
    }

    /** Hands out the one behind along with each head. */
    static Store twoAtOnce(Store store) {
        return new ForwardingStore(store) {
            @Override
            public Received receive(Receive request) {
                Received received = store.receive(request);
                return with(
                        received,
                        request,
                        received.deliveries().stream()
                                .flatMap(delivery -> behind(store, request.tenant(), delivery.message()).stream())
                                .toList());
            }
        };
    }

    /** Delivers what was redriven before all that waits in its group, and alone. */
    static Store redrivenFirst(Store store) {
        return new ForwardingStore(store) {
            private final Set<MessageId> redriven = new HashSet<>();

            @Override
            public List<Outcome> commit(Batch batch) {
                List<Outcome> outcomes = store.commit(batch);
                for (int index = 0; index < outcomes.size(); index++) {
                    if (batch.commits().get(index) instanceof QueueCommit.Redrive redrive
                            && outcomes.get(index) instanceof Outcome.Changed) {
                        redriven.add(redrive.message());
                    }
                }
                return outcomes;
            }

            @Override
            public Received receive(Receive request) {
                List<MessageRow> waiting =
                        rows(store, request.tenant(), request.queue()).toList();
                List<MessageRow> first = waiting.stream()
                        .filter(row -> redriven.contains(row.id()))
                        .filter(row -> waiting.stream().anyMatch(other -> isAhead(other, row)))
                        .limit(1)
                        .toList();
                first.forEach(row -> redriven.remove(row.id()));
                return first.isEmpty() ? store.receive(request) : with(new Received(List.of(), null), request, first);
            }
        };
    }

    /** The answer, with deliveries of messages that were not to go yet. */
    private static Received with(Received received, Receive request, List<MessageRow> more) {
        List<Delivery> deliveries = new ArrayList<>(received.deliveries());
        more.stream()
                .filter(row -> deliveries.stream()
                        .noneMatch(delivery -> delivery.message().id().equals(row.id())))
                .map(row -> new Delivery(new Receipt(row.id(), request.lease().token()), row))
                .toList()
                .forEach(deliveries::add);
        return new Received(deliveries, received.nextReady());
    }

    private static Optional<MessageRow> settled(Store store, Commit commit) {
        return commit instanceof QueueCommit.Settle settle
                ? World.QUEUES.stream()
                        .flatMap(queue -> rows(store, settle.tenant(), queue))
                        .filter(row -> row.id().equals(settle.receipt().message()))
                        .findFirst()
                : Optional.empty();
    }

    private static boolean isAhead(MessageRow head, MessageRow row) {
        return row.groupSeq() > head.groupSeq()
                && row.group() != null
                && row.group().equals(head.group());
    }

    private static Optional<MessageRow> behind(Store store, TenantId tenant, MessageRow head) {
        return rows(store, tenant, head.queue())
                .filter(row -> isAhead(head, row))
                .min(Comparator.comparingLong(MessageRow::groupSeq));
    }

    private static Stream<MessageRow> rows(Store store, TenantId tenant, QueueName queue) {
        return store.messages(new MessageQuery(tenant, queue, false, null, 1_000)).stream();
    }
}
