package io.perdure.server.worker;

import io.perdure.core.workflow.WorkerDesk;
import io.perdure.sdk.Limits;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.wire.Hints;
import io.perdure.sdk.wire.Poll;
import io.perdure.sdk.worker.Backend;
import io.perdure.server.http.TenantBudget;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The hints for all workers. A box is made by a worker's first poll, and is gone a minute after its last. */
final class HintBoxes implements AutoCloseable {
    private static final Duration SWEPT_EVERY = Duration.ofSeconds(1);
    private static final Duration FORGOTTEN_AFTER = Limits.defaults().remote().hintsKept();
    private static final int MOST = Limits.defaults().remote().workers();

    private final WaitingWorkers waiters;
    private final TenantBudget places = new TenantBudget(
            MOST,
            new TenantBudget.Refusal(
                    "Too many workers that are told what happens",
                    "",
                    "Retry later, or start another server on the same Postgres."));
    /** When all boxes were looked at last: with thousands of workers that costs more than a poll. */
    private final AtomicLong sweptNanos;

    private final Map<Owner, Watched> boxes = new ConcurrentHashMap<>();

    /** Whose box it is. */
    record Owner(TenantId tenant, ProcessId worker) {}

    private record Watched(HintBox box, Backend.Watch watch) {}

    HintBoxes(WaitingWorkers waiters) {
        this.waiters = waiters;
        this.sweptNanos = new AtomicLong(waiters.nanoTime());
    }

    /** The box of a worker, if it has polled before. */
    Optional<HintBox> find(Owner owner) {
        return Optional.ofNullable(boxes.get(owner)).map(Watched::box);
    }

    /** Waits for hints. A worker that is not known is told at once that there may be work; {@code PD-605} where there are too many of them, in all or of this tenant. */
    Hints poll(Owner owner, WorkerDesk desk, Poll poll, Duration atMost) throws InterruptedException {
        long now = waiters.nanoTime();
        if (now - sweptNanos.get() >= SWEPT_EVERY.toNanos()) {
            sweptNanos.set(now);
            sweep();
        }
        return boxes.computeIfAbsent(owner, _ -> watch(owner, desk, poll)).box().poll(atMost);
    }

    private Watched watch(Owner owner, WorkerDesk desk, Poll poll) {
        places.take(owner.tenant());
        try {
            HintBox box = new HintBox(waiters, owner.tenant());
            return new Watched(box, desk.watch(poll.served(), box));
        } catch (RuntimeException | Error e) {
            places.giveBack(owner.tenant());
            throw e;
        }
    }

    /** Forgets a worker that said that it is gone. */
    void forget(Owner owner) {
        Watched watched = boxes.remove(owner);
        if (watched != null) {
            places.giveBack(owner.tenant());
            watched.box().dismiss();
            watched.watch().close();
        }
    }

    private void sweep() {
        boxes.forEach((owner, watched) -> {
            // Who polls in this moment has a box that hears nothing any more, until it polls again and finds a new one.
            if (watched.box().isForgotten(FORGOTTEN_AFTER) && boxes.remove(owner, watched)) {
                places.giveBack(owner.tenant());
                watched.watch().close();
            }
        });
    }

    @Override
    public void close() {
        boxes.keySet().forEach(this::forget);
    }
}
