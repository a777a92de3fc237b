package io.perdure.core.queue;

import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.ExtendedLeases;
import io.perdure.sdk.queue.Fate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Says what became of messages that were received: one, or many at a time. */
final class Settling {
    private final Queues queues;

    Settling(Queues queues) {
        this.queues = queues;
    }

    Fate settle(Receipt receipt, Verdict verdict) {
        queues.checkOpen();
        return Outcomes.settled(queues.ledger().commit(commit(receipt, verdict)), receipt);
    }

    /** Makes a lease end so long from now; answers when, by the store's clock. */
    Instant extend(Receipt receipt, Duration length) {
        queues.checkOpen();
        Extended extended = queues.store()
                .extend(List.of(new Extend(queues.tenant(), receipt, length)))
                .getFirst();
        return switch (extended) {
            case Extended.Until(Instant time) -> time;
            case Extended.Lost _ -> throw receipt.lost();
        };
    }

    /** Makes leases end so long from now, each on its own. */
    ExtendedLeases extendAll(List<Receipt> receipts, Duration length) {
        queues.checkOpen();
        List<Extended> answered = queues.store()
                .extend(receipts.stream()
                        .map(receipt -> new Extend(queues.tenant(), receipt, length))
                        .toList());
        List<Receipt> late = new ArrayList<>();
        Instant until = null;
        for (int i = 0; i < receipts.size(); i++) {
            switch (answered.get(i)) {
                case Extended.Until(Instant time) -> until = until == null || time.isBefore(until) ? time : until;
                case Extended.Lost _ -> late.add(receipts.get(i));
            }
        }
        return new ExtendedLeases(until, late);
    }

    Settle commit(Receipt receipt, Verdict verdict) {
        return new Settle(queues.tenant(), receipt, verdict);
    }

    /** Settles messages, each on its own; answers the receipts that came too late. */
    List<Receipt> settleAll(List<Receipt> receipts, Verdict verdict) {
        queues.checkOpen();
        List<Outcome> outcomes = commitAll(receipts, verdict);
        List<Receipt> late = new ArrayList<>();
        for (int i = 0; i < receipts.size(); i++) {
            if (Outcomes.isLost(outcomes.get(i), receipts.get(i))) {
                late.add(receipts.get(i));
            }
        }
        return List.copyOf(late);
    }

    /**
     * Settles those that were not settled yet, each on its own; answers the receipts of the others, in their order. Where one is refused
     * the others stand, and know that they are settled.
     */
    List<Receipt> settleOpen(List<Delivery> deliveries, Verdict verdict) {
        queues.checkOpen();
        Set<Delivery> open = new LinkedHashSet<>(deliveries);
        open.removeIf(Delivery::isSettled);
        Iterator<Outcome> outcomes = commitAll(
                        open.stream().map(Delivery::receipt).toList(), verdict)
                .iterator();
        List<Receipt> late = new ArrayList<>();
        RefusedException refusal = null;
        for (Delivery delivery : deliveries) {
            Outcome outcome = open.remove(delivery) ? outcomes.next() : null;
            try {
                if (outcome == null || Outcomes.isLost(outcome, delivery.receipt())) {
                    late.add(delivery.receipt());
                } else {
                    delivery.settled();
                }
            } catch (RefusedException e) {
                refusal = refusal == null ? e : refusal;
            }
        }
        throwIfAny(refusal);
        return List.copyOf(late);
    }

    private List<Outcome> commitAll(List<Receipt> receipts, Verdict verdict) {
        return queues.ledger()
                .commitAll(receipts.stream()
                        .map(receipt -> commit(receipt, verdict))
                        .toList());
    }

    private static void throwIfAny(@Nullable RefusedException refusal) {
        if (refusal != null) {
            throw refusal;
        }
    }
}
