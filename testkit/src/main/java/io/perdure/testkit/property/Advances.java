package io.perdure.testkit.property;

import io.perdure.core.store.NewMessage;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.core.store.Store;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.worker.Release;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Draws the commits of workers: most with the right token and number, some stale on purpose. */
final class Advances {
    private final Dice dice;
    private final World world;
    private final Store model;
    private final QueueCommits queues;

    /** Where the commits of this batch will have brought each run, if all of them apply. */
    private final Map<RunId, Long> nextSeq = new HashMap<>();

    Advances(Dice dice, World world, Store model, QueueCommits queues) {
        this.dice = dice;
        this.world = world;
        this.model = model;
        this.queues = queues;
    }

    void beginBatch() {
        nextSeq.clear();
    }

    Optional<Advance> next() {
        return dice.pickRecent(world.held).map(held -> {
            Optional<RunSnapshot> seen =
                    model.snapshots(held.tenant(), List.of(held.run())).stream().findFirst();
            return advance(held, seen.orElse(null));
        });
    }

    private Advance advance(World.Held held, @Nullable RunSnapshot seen) {
        List<Draft> events = new ArrayList<>(events(seen));
        boolean ends = dice.chance(12);
        if (ends) {
            events.add(new Draft(end()));
        }
        Release release = !ends && (events.isEmpty() || dice.chance(35)) ? release(seen) : null;
        long last = seen == null ? 0 : seen.last();
        long next = nextSeq.getOrDefault(held.run(), last + 1);
        nextSeq.put(held.run(), next + events.size());
        return new Advance(
                held.tenant(),
                held.run(),
                dice.chance(93) ? held.lease().token() : dice.ids.token(),
                dice.chance(90) ? next : Math.max(1, next + dice.from(-2, 2)),
                events,
                events.isEmpty() ? List.of() : sends(held.tenant()),
                release);
    }

    private List<NewMessage> sends(TenantId tenant) {
        return dice.chance(15) ? queues.messages(tenant) : List.of();
    }

    private List<Draft> events(@Nullable RunSnapshot seen) {
        List<Draft> events = new ArrayList<>();
        Set<Long> taken = new HashSet<>();
        int count = dice.weighted(15, 50, 25, 10);
        for (int index = 0; index < count; index++) {
            events.add(dice.chance(30) ? taking(seen, taken) : step());
        }
        return events;
    }

    private Draft step() {
        StepName name = new StepName(dice.key(9));
        return switch (dice.weighted(40, 20, 20, 20)) {
            case 0 -> new Draft(new Event.StepCompleted(name, dice.json(), Instant.EPOCH));
            case 1 ->
                new Draft(
                        new Event.StepFailed(name, dice.from(1, 3), new Failure("Broken", "it broke", null), true),
                        Due.in(dice.upTo(Duration.ofMinutes(1))));
            case 2 -> new Draft(new Event.SleepStarted(name), Due.in(dice.nanosUpTo(Duration.ofMinutes(1))));
            default -> new Draft(new Event.WaitStarted(name, dice.pick(World.EVENTS), null), Due.never());
        };
    }

    /** Takes a signal that lies in the mailbox, and now and then one that does not. */
    private Draft taking(@Nullable RunSnapshot seen, Set<Long> taken) {
        StepName name = new StepName(dice.key(9));
        Optional<MailboxEntry> entry = seen == null
                ? Optional.empty()
                : dice.pickRecent(seen.mailbox().stream()
                        .filter(candidate -> !taken.contains(candidate.number()))
                        .toList());
        if (entry.isEmpty() || dice.chance(8)) {
            return dice.chance(80)
                    ? step()
                    : new Draft(new Event.EventReceived(name, dice.pick(World.EVENTS), 99, dice.json()));
        }
        MailboxEntry signal = entry.get();
        taken.add(signal.number());
        return signal.event().isReserved()
                ? new Draft(new Event.ChildEnded(
                        name, childOf(signal), RunStatus.COMPLETED, signal.number(), signal.payload(), null))
                : new Draft(new Event.EventReceived(name, eventOf(signal), signal.number(), signal.payload()));
    }

    /** The child that a notice names; now and then another one, which may not take it. */
    private RunId childOf(MailboxEntry notice) {
        return dice.chance(90) ? RunId.parse(JsonObject.parse(notice.payload()).string("child")) : dice.ids.runId();
    }

    /** The name that a signal came by; now and then perhaps another one, which may not take it. */
    private EventName eventOf(MailboxEntry signal) {
        return dice.chance(95) ? signal.event() : dice.pick(World.EVENTS);
    }

    private Event end() {
        return switch (dice.weighted(35, 35, 10, 20)) {
            case 0 -> new Event.RunCompleted(dice.json());
            case 1 -> RunCommits.failed();
            case 2 -> RunCommits.cancelled();
            default -> RunCommits.parked();
        };
    }

    private Release release(@Nullable RunSnapshot seen) {
        Due soon = dice.chance(50) ? Due.atOnce() : Due.in(dice.upTo(Duration.ofMinutes(1)));
        if (dice.chance(35)) {
            return Release.until(soon);
        }
        Due ready = dice.chance(80) ? soon : Due.never();
        Set<EventName> wakeOn = new HashSet<>(List.of(dice.pick(World.EVENTS)));
        dice.pickRecent(world.runs).ifPresent(run -> wakeOn.add(EventName.childEnded(run.run())));
        long wakes = seen == null ? 0 : seen.run().wakes();
        return new Release(ready, wakeOn, dice.chance(85) ? wakes : Math.max(0, wakes - 1));
    }
}
