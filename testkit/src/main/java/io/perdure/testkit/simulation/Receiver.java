package io.perdure.testkit.simulation;

import io.perdure.core.store.Extend;
import io.perdure.core.store.Lease;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received;
import io.perdure.core.store.Received.Delivery;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import io.perdure.testkit.invariant.Fact;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Receives messages and acknowledges, retries, releases, rejects or forgets them; redrives and discards dead letters. */
final class Receiver extends Actor {
    private static final Duration VISIBILITY = Duration.ofSeconds(8);

    private record Held(TenantId tenant, Delivery delivery) {}

    private final Deque<Held> held = new ArrayDeque<>();
    private int turn;
    private int emptyReceives;
    private @Nullable Instant nextReady;

    Receiver(World world, String name) {
        super(world, name);
    }

    @Override
    void forget() {
        held.clear();
        emptyReceives = 0;
    }

    @Override
    boolean isIdle() {
        return super.isIdle() && held.isEmpty() && emptyReceives >= World.TENANTS.size() * World.QUEUES.size();
    }

    void wake() {
        emptyReceives = 0;
        nextReady = null;
    }

    @Nullable
    Instant nextReady() {
        return nextReady;
    }

    @Override
    void move() {
        if (held.isEmpty()) {
            receive();
            return;
        }
        Held next = held.remove();
        if (world.faultsStopped()) {
            settle(next, new Verdict.Done());
            return;
        }
        boolean dead = next.delivery().message().queue().holdsDeadLetters();
        switch (world.random.nextInt(dead ? 9 : 7)) {
            case 0, 1 -> settle(next, new Verdict.Done());
            case 2 -> settle(next, new Verdict.Retry(world.upTo(Duration.ofSeconds(10)), "again"));
            case 3 -> settle(next, new Verdict.Reject("no"));
            case 4 -> extend(next);
            case 5 -> {
                // Forgotten: its lease runs out.
            }
            case 6 -> settle(next, new Verdict.Release());
            case 7 ->
                send(new QueueCommit.Redrive(
                        next.tenant(),
                        next.delivery().message().queue(),
                        next.delivery().message().id()));
            default ->
                send(new QueueCommit.Discard(
                        next.tenant(),
                        next.delivery().message().queue(),
                        next.delivery().message().id()));
        }
    }

    private void receive() {
        TenantId tenant = World.TENANTS.get(turn % World.TENANTS.size());
        QueueName queue = World.QUEUES.get(turn / World.TENANTS.size() % World.QUEUES.size());
        turn++;
        boolean dead = !world.faultsStopped() && world.chance(0.2);
        Lease lease = new Lease(world.ids.token(), VISIBILITY);
        Receive request = new Receive(tenant, dead ? queue.deadLetters() : queue, world.random.nextInt(1, 4), lease);
        int since = world.position();
        Received received = world.store.receive(request);
        if (world.fault(Fault.LOST_ANSWER, 0.03)) {
            world.note(since, name, new Fact.ReceiveLost(request));
            return;
        }
        for (Delivery delivery : received.deliveries()) {
            world.note(since, name, new Fact.MessageDelivered(tenant, delivery, lease));
            held.add(new Held(tenant, delivery));
        }
        emptyReceives = received.deliveries().isEmpty() ? emptyReceives + 1 : 0;
        Instant ready = received.nextReady();
        if (ready != null && (nextReady == null || ready.isBefore(nextReady))) {
            nextReady = ready;
        }
    }

    /** Settles, now and then under the wrong tenant, and now and then with a message that is to leave with the verdict. */
    private void settle(Held message, Verdict verdict) {
        boolean astray = !world.faultsStopped() && world.chance(0.03);
        TenantId tenant = astray ? world.pick(World.TENANTS) : message.tenant();
        List<NewMessage> sends =
                !world.faultsStopped() && world.chance(0.2) ? List.of(Sender.message(world)) : List.of();
        send(new QueueCommit.Settle(tenant, message.delivery().receipt(), verdict, sends));
    }

    private void send(QueueCommit commit) {
        port.send(List.of(commit), (_, _) -> {});
    }

    private void extend(Held message) {
        held.add(message);
        Extend extend = new Extend(
                world.chance(0.05) ? world.pick(World.TENANTS) : message.tenant(),
                message.delivery().receipt(),
                world.upTo(VISIBILITY).plusMillis(1));
        int since = world.position();
        world.store
                .extend(List.of(extend))
                .forEach(answer -> world.note(since, name, new Fact.LeaseExtended(extend, answer)));
    }
}
