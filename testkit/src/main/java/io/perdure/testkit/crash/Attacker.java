package io.perdure.testkit.crash;

import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.sdk.id.RunId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Phaser;

/**
 * Decides by a seeded die what befalls a run at each of its suspensions, and when: signals that it waits for or not, several at
 * once, the end of its lease, a cancel. Every suspension is followed by a signal that ends the wait, by one that makes the run look
 * and suspend once more, or by a cancel: so whatever a run is left waiting for was lost. Safe for many threads.
 */
final class Attacker {
    private static final int FACES = 1_000;
    private static final int NOBODY = -1;
    private static final When[] WHENS = When.values();

    private final long seed;
    private final Engine outsider;
    private final Thief thief;
    private final Map<RunId, Target> targets = new ConcurrentHashMap<>();
    private final Queue<Throwable> faults = new ConcurrentLinkedQueue<>();
    private final Phaser underWay = new Phaser(1);

    /** The commit that suspends is not with the store yet, is on its way, or has been answered to the process. */
    enum When {
        BEFORE,
        DURING,
        AFTER
    }

    /** One thing that is done to a run. */
    record Blow(When when, Runnable deed) {}

    Attacker(long seed, Engine outsider, Thief thief) {
        this.seed = seed;
        this.outsider = outsider;
        this.thief = thief;
    }

    /** A run is about to begin; its input is its number. */
    void started(RunCommit.Start start) {
        int number = Integer.parseInt(start.definition().input().text());
        targets.put(start.run(), new Target(start.run(), number));
    }

    Collection<Target> targets() {
        return targets.values();
    }

    Target target(RunId run) {
        return Objects.requireNonNull(targets.get(run), "a run that was started here");
    }

    /** What is to befall a run that is about to suspend. */
    List<Blow> blows(Advance suspension) {
        Target target = target(suspension.run());
        int turn = target.turn(suspension);
        SplittableRandom die = target.die(seed);
        if (target.isAnswered(turn)) {
            return List.of();
        }
        int face = die.nextInt(FACES);
        List<Blow> blows = new ArrayList<>();
        if (face < 600) {
            return List.of(new Blow(any(die), () -> target.signal(outsider, Waiter.EVENT, NOBODY)));
        } else if (face < 603) {
            return List.of(new Blow(any(die), () -> target.cancel(outsider)));
        } else if (face < 606) {
            blows.add(new Blow(any(die), () -> target.cancel(outsider)));
        } else if (face < 616) {
            blows.add(new Blow(When.BEFORE, () -> thief.steal(suspension)));
        } else if (face < 626) {
            blows.add(new Blow(When.DURING, () -> thief.steal(suspension)));
        } else if (face < 660) {
            blows.add(new Blow(any(die), () -> thief.expire(suspension)));
        } else if (face < 720) {
            blows.add(new Blow(any(die), () -> target.signal(outsider, Waiter.EVENT, NOBODY)));
        } else if (face < 750) {
            blows.add(new Blow(any(die), () -> target.signal(outsider, Waiter.OTHER_EVENT, turn)));
        } else if (face < 780 && target.answer(turn + 1)) {
            blows.add(new Blow(any(die), () -> target.signal(outsider, Waiter.EVENT, turn + 1)));
        } else if (face < 810) {
            blows.add(new Blow(any(die), () -> target.signal(outsider, Waiter.EVENT, turn)));
        }
        if (target.answer(turn)) {
            boolean twice = die.nextInt(FACES) < 50;
            blows.add(new Blow(any(die), () -> answer(target, turn, twice)));
        }
        return blows;
    }

    private static When any(SplittableRandom die) {
        return WHENS[die.nextInt(WHENS.length)];
    }

    private void answer(Target target, int turn, boolean twice) {
        if (twice) {
            target.signalTwice(outsider, turn);
        } else {
            target.signal(outsider, Waiter.EVENT, turn);
        }
    }

    /** Deals blows, all at once, each by somebody else; answers when the last of them has landed. */
    CompletableFuture<Void> deal(List<Blow> blows, When when) {
        return CompletableFuture.allOf(blows.stream()
                .filter(blow -> blow.when() == when)
                .map(this::deal)
                .toArray(CompletableFuture<?>[]::new));
    }

    private CompletableFuture<Void> deal(Blow blow) {
        underWay.register();
        return CompletableFuture.runAsync(blow.deed(), Thread::startVirtualThread)
                .exceptionally(fault -> {
                    faults.add(fault);
                    return null;
                })
                .thenRun(underWay::arriveAndDeregister);
    }

    /** Waits until the last blow has landed; answers those that went wrong. */
    Collection<Throwable> rest() {
        underWay.arriveAndAwaitAdvance();
        return faults;
    }
}
