package io.perdure.testkit.simulation;

import io.perdure.core.store.NewMessage;
import io.perdure.core.store.QueueCommit;
import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Sends messages: some in groups, some delayed, some with ids that repeat, up to three at once. */
final class Sender extends Actor {
    private static final List<GroupKey> GROUPS = List.of(new GroupKey("g1"), new GroupKey("g2"));
    private static final List<DeduplicationId> IDS = List.of(new DeduplicationId("d1"), new DeduplicationId("d2"));

    Sender(World world, String name) {
        super(world, name);
    }

    @Override
    void move() {
        List<NewMessage> messages = new ArrayList<>();
        int count = world.random.nextInt(1, 4);
        for (int index = 0; index < count; index++) {
            messages.add(message(world));
        }
        port.send(List.of(new QueueCommit.Send(world.pick(World.TENANTS), messages)), (_, _) -> {});
    }

    /** A message as chance will have it. */
    static NewMessage message(World world) {
        return new NewMessage(
                world.ids.messageId(),
                world.pick(World.QUEUES),
                Json.number(world.nonce()),
                Map.of(),
                world.chance(0.25) ? world.upTo(Duration.ofSeconds(20)) : Duration.ZERO,
                world.chance(0.6) ? world.pick(GROUPS) : null,
                world.chance(0.15) ? world.pick(IDS) : null);
    }
}
