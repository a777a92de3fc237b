package io.perdure.testkit.property;

import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.QueueCommit.Create;
import io.perdure.core.store.QueueCommit.Delete;
import io.perdure.core.store.QueueCommit.Discard;
import io.perdure.core.store.QueueCommit.Purge;
import io.perdure.core.store.QueueCommit.Redrive;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Update;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Store;
import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.TenantId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Draws the commits of those who use queues. */
final class QueueCommits {
    private static final int ALL = 10_000;

    private final Dice dice;
    private final World world;
    private final Store model;

    QueueCommits(Dice dice, World world, Store model) {
        this.dice = dice;
        this.world = world;
        this.model = model;
    }

    QueueCommit next() {
        TenantId tenant = dice.chance(80) ? World.TENANTS.getFirst() : World.TENANTS.getLast();
        return switch (dice.weighted(38, 34, 8, 4, 2, 8, 3, 3)) {
            case 0 -> new Send(tenant, messages(tenant));
            case 1 -> settle().map(QueueCommit.class::cast).orElseGet(() -> new Send(tenant, messages(tenant)));
            case 2 -> redrive(tenant);
            case 3 -> discard(tenant);
            case 4 -> new Purge(tenant, queueOrDeadLetters(), dice.chance(40) ? ALL : dice.from(1, 4));
            case 5 -> new Create(tenant, dice.pick(World.QUEUES), dice.pick(World.SETTINGS));
            case 6 -> new Update(tenant, queue(), dice.pick(World.SETTINGS));
            default -> new Delete(tenant, queue());
        };
    }

    List<NewMessage> messages(TenantId tenant) {
        List<NewMessage> messages = new ArrayList<>();
        int count = dice.weighted(0, 70, 20, 10);
        for (int index = 0; index < count; index++) {
            messages.add(new NewMessage(
                    idIn(tenant),
                    queue(),
                    dice.json(),
                    dice.chance(10) ? Map.of("header", dice.key(3)) : Map.of(),
                    dice.chance(70) ? Duration.ZERO : dice.upTo(Duration.ofSeconds(40)),
                    dice.chance(60) ? new GroupKey(dice.key(3)) : null,
                    dice.chance(20) ? new DeduplicationId(dice.key(4)) : null));
        }
        return messages;
    }

    /** Mostly a fresh id; now and then one that a message has or had, or that a run has. */
    private MessageId idIn(TenantId tenant) {
        Optional<MessageId> known = switch (dice.weighted(94, 3, 3)) {
            case 0 -> Optional.empty();
            case 1 ->
                dice.pickRecent(world.sent)
                        .filter(sent -> sent.tenant().equals(tenant))
                        .map(World.Sent::id);
            default -> dice.pickRecent(world.runs).map(World.Started::run).map(MessageId::of);
        };
        return known.orElseGet(dice.ids::messageId);
    }

    private Optional<Settle> settle() {
        return dice.pickRecent(world.delivered).map(delivered -> {
            Receipt receipt = dice.chance(94)
                    ? delivered.receipt()
                    : new Receipt(delivered.receipt().message(), dice.ids.token());
            Verdict verdict = switch (dice.weighted(38, 30, 12, 20)) {
                case 0 -> new Verdict.Done();
                case 1 ->
                    new Verdict.Retry(dice.chance(50) ? Duration.ZERO : dice.upTo(Duration.ofSeconds(30)), dice.key(3));
                case 2 -> new Verdict.Release();
                default -> new Verdict.Reject(dice.key(3));
            };
            List<NewMessage> sends = dice.chance(15) ? messages(delivered.tenant()) : List.of();
            return new Settle(delivered.tenant(), receipt, verdict, sends);
        });
    }

    private Redrive redrive(TenantId tenant) {
        QueueName letters = dice.pick(World.QUEUES).deadLetters();
        List<MessageRow> rows = listed(new MessageQuery(tenant, letters, false, null, ALL));
        return new Redrive(
                tenant, letters, dice.pickRecent(rows).map(MessageRow::id).orElseGet(dice.ids::messageId));
    }

    /** What the model lists; nothing where it has no such queue. */
    List<MessageRow> listed(MessageQuery query) {
        return model.queue(query.tenant(), query.queue()).isPresent() ? model.messages(query) : List.of();
    }

    private Discard discard(TenantId tenant) {
        return dice.pickRecent(world.sent)
                .map(sent ->
                        new Discard(sent.tenant(), dice.chance(90) ? sent.queue() : queueOrDeadLetters(), sent.id()))
                .orElseGet(() -> new Discard(tenant, queue(), dice.ids.messageId()));
    }

    /** A queue of users; now and then one that is not there. */
    QueueName queue() {
        return dice.chance(97) ? dice.pick(World.QUEUES) : World.MISSING_QUEUE;
    }

    QueueName queueOrDeadLetters() {
        return dice.chance(80) ? queue() : queue().deadLetters();
    }
}
