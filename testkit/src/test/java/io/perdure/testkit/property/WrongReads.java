package io.perdure.testkit.property;

import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed;
import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.Store;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.testkit.ForwardingStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/** Stores that do everything right, and then say something else of it. */
final class WrongReads {
    private WrongReads() {}

    /** Names, after a receive, a time to ask again that is so much later than it should be. */
    static Store lateReceives(Store right, Duration late) {
        return new ForwardingStore(right) {
            @Override
            public Received receive(Receive request) {
                Received received = store.receive(request);
                Instant nextReady = received.nextReady();
                return new Received(received.deliveries(), nextReady == null ? null : nextReady.plus(late));
            }
        };
    }

    static Store silentReceives(Store right) {
        return new ForwardingStore(right) {
            @Override
            public Received receive(Receive request) {
                return new Received(store.receive(request).deliveries(), null);
            }
        };
    }

    static Store lateClaims(Store right, Duration late) {
        return new ForwardingStore(right) {
            @Override
            public Claimed claim(ClaimRuns request) {
                Claimed claimed = store.claim(request);
                Instant nextReady = claimed.nextReady();
                return new Claimed(claimed.runs(), nextReady == null ? null : nextReady.plus(late));
            }
        };
    }

    static Store silentClaims(Store right) {
        return new ForwardingStore(right) {
            @Override
            public Claimed claim(ClaimRuns request) {
                return new Claimed(store.claim(request).runs(), null);
            }
        };
    }

    /** Counts the places of groups in another way, in the same order. */
    static Store groupNumbers(Store right, LongUnaryOperator numbers) {
        return new ForwardingStore(right) {
            @Override
            public Received receive(Receive request) {
                Received received = store.receive(request);
                return new Received(
                        received.deliveries().stream()
                                .map(delivery -> new Delivery(delivery.receipt(), bent(delivery.message())))
                                .toList(),
                        received.nextReady());
            }

            @Override
            public List<MessageRow> messages(MessageQuery query) {
                return store.messages(query).stream().map(this::bent).toList();
            }

            private MessageRow bent(MessageRow row) {
                return new MessageRow(
                        row.id(),
                        row.queue(),
                        row.body(),
                        row.headers(),
                        row.group(),
                        numbers.applyAsLong(row.groupSeq()),
                        row.sentAt(),
                        row.readyAt(),
                        row.expiresAt(),
                        row.leased(),
                        row.deliveries(),
                        row.earlierDeliveries(),
                        row.firstDelivered(),
                        row.lastDelivered(),
                        row.lastError(),
                        row.deadLetter());
            }
        };
    }

    static Store emptyHistories(Store right) {
        return new ForwardingStore(right) {
            @Override
            public List<Recorded> history(TenantId tenant, RunId run, long from, int limit) {
                return List.of();
            }
        };
    }

    static Store noRuns(Store right) {
        return new ForwardingStore(right) {
            @Override
            public Optional<RunRow> run(TenantId tenant, RunId run) {
                return Optional.empty();
            }
        };
    }
}
