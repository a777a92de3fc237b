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
import java.util.function.Consumer;

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
    private volatile List<Engine> workers = List.of();

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

    /** Has signals sent by these too: what they wake is theirs to go on with, in the same call. */
    void helpedBy(List<Engine> engines) {
        workers = List.copyOf(engines);
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
            return List.of(signal(target, Waiter.EVENT, NOBODY, die));
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
            blows.add(signal(target, Waiter.EVENT, NOBODY, die));
        } else if (face < 750) {
            blows.add(signal(target, Waiter.OTHER_EVENT, turn, die));
        } else if (face < 780 && target.answer(turn + 1)) {
            blows.add(signal(target, Waiter.EVENT, turn + 1, die));
        } else if (face < 810) {
            blows.add(signal(target, Waiter.EVENT, turn, die));
        }
        if (target.answer(turn)) {
            blows.add(
                    die.nextInt(FACES) < 50
                            ? blow(die, from -> target.signalTwice(from, turn))
                            : signal(target, Waiter.EVENT, turn, die));
        }
        return blows;
    }

    private static When any(SplittableRandom die) {
        return WHENS[die.nextInt(WHENS.length)];
    }

    private Blow signal(Target target, String event, int meantFor, SplittableRandom die) {
        return blow(die, from -> target.signal(from, event, meantFor));
    }

    /** By whom is decided too. The workers themselves strike afterwards only: the lane of one that suspends waits until then. */
    private Blow blow(SplittableRandom die, Consumer<Engine> deed) {
        When when = any(die);
        int place = die.nextInt(workers.size() + 1);
        Engine from = when == When.AFTER && place < workers.size() ? workers.get(place) : outsider;
        return new Blow(when, () -> deed.accept(from));
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
