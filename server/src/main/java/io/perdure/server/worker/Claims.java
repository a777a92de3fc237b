package io.perdure.server.worker;

import io.perdure.core.workflow.WorkerDesk;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.wire.ClaimJson;
import io.perdure.sdk.worker.Assignment;
import io.perdure.sdk.worker.Backend;
import io.perdure.sdk.worker.Claim;
import io.perdure.sdk.worker.Claimed;
import io.perdure.sdk.worker.Progress;
import io.perdure.sdk.worker.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Claims for workers elsewhere: waits until there is something to claim, and sends no more at once than can be carried. */
final class Claims {
    /** Counted roughly: a character is one. */
    private static final int MOST_BYTES = Limits.defaults().remote().claimBytes();

    /** Between two looks of one claim: what is due, but not for this worker to take, must not make it look without a rest. */
    private static final Duration BREATH = Duration.ofMillis(20);

    private final WaitingWorkers waiters;

    Claims(WaitingWorkers waiters) {
        this.waiters = waiters;
    }

    /**
     * Claims, and waits for a run to become due where none is, at most so long. What a wait has claimed for a caller that hung up meanwhile is given back.
     *
     * @param box where it is noted what goes to the worker; absent for one that does not poll
     * @param received the newest answer that the worker has received
     */
    Json claim(Visit visit, Claim claim, Duration atMost, Optional<HintBox> box, long received)
            throws InterruptedException {
        WorkerDesk desk = visit.desk();
        box.ifPresent(one -> letGo(desk, one.received(received)));
        Load load = new Load();
        Claimed claimed = atMost.isZero() ? desk.claim(claim, load::takes) : awaited(visit, claim, load, atMost);
        // Noted before anything else can fail.
        Long number = box.map(one -> one.give(claimed.runs(), load.isLarge())).orElse(null);
        return ClaimJson.writeClaimed(load.sent, claimed.nextIn(), number);
    }

    /** What one answer brings. */
    private static final class Load {
        private final List<Json> sent = new ArrayList<>();
        private long bytes;

        /** False where there is no room for it any more. */
        boolean takes(Assignment assignment) {
            Json json = ClaimJson.write(assignment);
            bytes += json.text().length();
            return (bytes <= MOST_BYTES || sent.isEmpty()) && sent.add(json);
        }

        /** Whether it is one run that has more than an answer is meant to bring. */
        boolean isLarge() {
            return sent.size() == 1 && sent.getFirst().text().length() > MOST_BYTES;
        }
    }

    /** What a worker would say that lets go of a run as it was given to it: it is due at once, for anybody. */
    static Progress letGo(Assignment assignment) {
        return new Progress(assignment.held(), assignment.last() + 1, List.of(), Release.until(Due.atOnce()));
    }

    private static void letGo(WorkerDesk desk, List<Progress> all) {
        List<Backend.Handed> handed =
                all.stream().map(one -> desk.commit(one, false)).toList();
        handed.forEach(Backend.Handed::await);
    }

    private Claimed awaited(Visit visit, Claim claim, Load load, Duration atMost) throws InterruptedException {
        WorkerDesk desk = visit.desk();
        try (WaitingWorkers.Wait wait = waiters.enter(visit.owner().tenant());
                Backend.Watch _ = desk.watch(claim.served(), new Ringer(wait))) {
            long deadline = waiters.nanoTime() + atMost.toNanos();
            // Whether lapsed runs may be taken was decided when the worker asked, and holds for a moment only.
            Claim later = new Claim(claim.served(), claim.max(), false);
            for (Claim next = claim; ; next = later) {
                Claimed claimed = desk.claim(next, load::takes);
                Duration left = Duration.ofNanos(deadline - waiters.nanoTime());
                if (wait.isUnheard()) {
                    letGo(desk, claimed.runs().stream().map(Claims::letGo).toList());
                    load.sent.clear();
                    return new Claimed(List.of(), claimed.nextIn());
                }
                if (!claimed.runs().isEmpty() || !left.isPositive() || wait.isOver()) {
                    return claimed;
                }
                Duration nextIn = claimed.nextIn() == null ? left : longer(claimed.nextIn(), BREATH);
                wait.await(nextIn.compareTo(left) < 0 ? nextIn : left);
            }
        }
    }

    private static Duration longer(Duration left, Duration right) {
        return left.compareTo(right) >= 0 ? left : right;
    }

    private record Ringer(WaitingWorkers.Wait waiter) implements Backend.Listener {
        @Override
        public void due() {
            waiter.ring();
        }

        @Override
        public void ended(RunId run) {
            // Nothing to claim.
        }
    }
}
