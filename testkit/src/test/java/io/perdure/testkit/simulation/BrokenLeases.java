package io.perdure.testkit.simulation;

import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed;
import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.Lease;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.Store;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.TenantId;
import io.perdure.testkit.ForwardingStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Bugs in how runs and messages are leased. */
final class BrokenLeases {
    private BrokenLeases() {}

    /** Hands the message delivered last to the next receiver of its queue as well. */
    static Store deliveredTwice(Store store) {
        return new ForwardingStore(store) {
            private Optional<Received.Delivery> last = Optional.empty();
            private Optional<TenantId> tenant = Optional.empty();

            @Override
            public Received receive(Receive request) {
                Received received = store.receive(request);
                List<Delivery> deliveries = new ArrayList<>(received.deliveries());
                last.filter(delivery -> delivery.message().queue().equals(request.queue())
                                && tenant.filter(request.tenant()::equals).isPresent())
                        .map(Delivery::message)
                        .filter(message -> deliveries.stream()
                                .noneMatch(other -> other.message().id().equals(message.id())))
                        .ifPresent(message -> deliveries.add(again(message, request)));
                last = received.deliveries().stream().findFirst();
                tenant = Optional.of(request.tenant());
                return new Received(deliveries, received.nextReady());
            }
        };
    }

    private static Delivery again(MessageRow message, Receive request) {
        return new Delivery(new Receipt(message.id(), request.lease().token()), message);
    }

    /** Gives a tenant without work the work of another. */
    static Store claimedAcrossTenants(Store store) {
        return new ForwardingStore(store) {
            @Override
            public Claimed claim(ClaimRuns request) {
                Claimed own = store.claim(request);
                return own.runs().isEmpty()
                        ? store.claim(new ClaimRuns(
                                World.TENANTS.getLast(), request.served(), request.max(), request.lease()))
                        : own;
            }
        };
    }

    /** Says of every lease that it was extended. */
    static Store alwaysExtended(Store store) {
        return new ForwardingStore(store) {
            @Override
            public List<Extended> extend(List<Extend> leases) {
                store.extend(leases);
                return leases.stream()
                        .<Extended>map(extend -> new Extended.Until(store.now().plus(extend.length())))
                        .toList();
            }
        };
    }

    /** Lets every lease of a run or message last half an hour longer than was asked for. */
    static Store endingLate(Store store) {
        return new ForwardingStore(store) {
            @Override
            public Claimed claim(ClaimRuns request) {
                return store.claim(
                        new ClaimRuns(request.tenant(), request.served(), request.max(), late(request.lease())));
            }

            @Override
            public Received receive(Receive request) {
                return store.receive(new Receive(
                        request.tenant(), request.queue(), request.max(), late(request.lease()), request.only()));
            }
        };
    }

    private static Lease late(Lease lease) {
        return new Lease(lease.token(), lease.length().plus(Duration.ofMinutes(30)), lease.holder());
    }

    /** Extends a lease whoever's it is. */
    static Store extendedAcrossTenants(Store store) {
        return new ForwardingStore(store) {
            @Override
            public List<Extended> extend(List<Extend> leases) {
                return leases.stream().map(this::anybodys).toList();
            }

            private Extended anybodys(Extend extend) {
                List<Extended> answers = World.TENANTS.stream()
                        .map(any -> new Extend(any, extend.receipt(), extend.length()))
                        .flatMap(any -> store.extend(List.of(any)).stream())
                        .toList();
                return answers.stream()
                        .filter(Extended.Until.class::isInstance)
                        .findFirst()
                        .orElse(answers.getFirst());
            }
        };
    }

    /** Never finds the messages of one queue. */
    static Store queueForgotten(Store store) {
        return new ForwardingStore(store) {
            @Override
            public Received receive(Receive request) {
                return request.queue().equals(World.BULK) ? new Received(List.of(), null) : store.receive(request);
            }
        };
    }

    /** Gives every lease that was taken at a later time than now to the next claim, as if a clock that went back had ended it. */
    static Store stolenAfterStepBack(Store store) {
        return new ForwardingStore(store) {
            private final List<ClaimedRun> held = new ArrayList<>();

            @Override
            public Claimed claim(ClaimRuns request) {
                Instant now = store.now();
                Duration far = request.lease().length().multipliedBy(2);
                List<ClaimedRun> runs = new ArrayList<>(store.claim(request).runs());
                held.removeIf(before -> before.leasedUntil().isAfter(now.plus(far))
                        && runs.stream().noneMatch(run -> run.run().equals(before.run()))
                        && runs.add(new ClaimedRun(
                                before.run(),
                                before.workflow(),
                                before.version(),
                                new Receipt(
                                        MessageId.of(before.run()),
                                        request.lease().token()),
                                1,
                                now.plus(request.lease().length()))));
                held.addAll(runs);
                return new Claimed(runs, null);
            }
        };
    }
}
