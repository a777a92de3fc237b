package io.perdure.core.workflow;

import io.perdure.core.store.Announcement;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Pending;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.EventJson;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.worker.Answer;
import io.perdure.sdk.worker.Assignment;
import io.perdure.sdk.worker.Backend;
import io.perdure.sdk.worker.Claim;
import io.perdure.sdk.worker.Claimed;
import io.perdure.sdk.worker.Held;
import io.perdure.sdk.worker.Mailbox;
import io.perdure.sdk.worker.Progress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Where workers that are elsewhere get their runs, and say what became of them: the port of a worker, for any number of them. Safe for
 * many threads; get it once.
 */
public final class WorkerDesk {
    /** More than a request of a worker brings: what is not as long as this was not written by one. */
    private static final long EARLIER_BYTES = 2L * Limits.defaults().remote().requestBytes();

    private final Workflows.Setup setup;
    private final LocalBackend backend;
    private final Runnable announced;

    /**
     * For workers of these runs.
     *
     * @param announced is told that a worker has said what it serves
     */
    WorkerDesk(Workflows.Setup setup, Runnable announced) {
        this.setup = setup;
        this.announced = announced;
        this.backend = LocalBackend.ofWorkersElsewhere(setup);
    }

    /** How long a claimed run stays with its worker without an extension. */
    public Duration lease() {
        return setup.limits().runs().lease();
    }

    /**
     * Leases runs that are due, and reads their histories after that, some at a time.
     *
     * @param taker takes one after another; once it does not, that one and the others are let go of, read or not
     */
    public Claimed claim(Claim claim, Predicate<Assignment> taker) {
        return backend.claim(claim, taker);
    }

    /**
     * Hands over what happened to a run.
     *
     * @param again whether the worker does not know what became of an earlier try of the very same. Where that was applied, this one loses to
     *     it, and is answered as that one would have been
     */
    public Backend.Handed commit(Progress progress, boolean again) {
        Pending pending = handed(progress, again);
        return () -> {
            Outcome outcome = outcome(progress, again, pending);
            Answer answer = LocalBackend.answer(progress.held().run(), outcome);
            return again ? answeredAgain(progress, outcome, answer) : answer;
        };
    }

    private Answer answeredAgain(Progress progress, Outcome outcome, Answer answer) {
        Optional<Answer> earlier = mayHaveBeenApplied(progress, outcome) ? earlier(progress) : Optional.empty();
        // One that only lets go does not need its lease any more, whoever has it.
        if (earlier.isEmpty()
                && outcome instanceof Outcome.LeaseLost lost
                && !progress.events().isEmpty()) {
            setup.telemetry().lostAgain(progress.held(), lost);
        }
        return earlier.orElse(answer);
    }

    private Pending handed(Progress progress, boolean again) {
        setup.telemetry().comesFromElsewhere(progress, again);
        try {
            return backend.hand(progress);
        } catch (RuntimeException e) {
            setup.telemetry().wasAnswered(progress, again);
            throw e;
        }
    }

    private Outcome outcome(Progress progress, boolean again, Pending pending) {
        try {
            return pending.await();
        } finally {
            setup.telemetry().wasAnswered(progress, again);
        }
    }

    /**
     * Whether an earlier try of a commit that has lost now can be what it lost to. One that keeps its lease loses by its number alone: without the
     * lease the worker must not go on, whatever it wrote before.
     */
    private static boolean mayHaveBeenApplied(Progress progress, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Conflict _ -> true;
            case Outcome.LeaseLost _ -> progress.letsGo();
            case Outcome _ -> false;
        };
    }

    /**
     * The answer to an earlier try, if it was applied: the history has exactly these events in this place. Should somebody else have
     * written the same ones, it was told that they are there, which is true. Of a commit that only lets go nothing is left to see.
     */
    private Optional<Answer> earlier(Progress progress) {
        List<Draft> drafts = progress.events();
        if (drafts.isEmpty()) {
            return Optional.empty();
        }
        List<Recorded> recorded = setup.store()
                .history(setup.tenant(), progress.held().run(), progress.seq(), drafts.size(), EARLIER_BYTES);
        boolean same = recorded.size() == drafts.size();
        for (int i = 0; same && i < drafts.size(); i++) {
            same = EventJson.write(drafts.get(i).event())
                    .equals(EventJson.write(recorded.get(i).event()));
        }
        return same ? Optional.of(new Answer.Kept(recorded)) : Optional.empty();
    }

    /** Reads the mailbox of a run anew; empty where there is no such run any more. */
    public Optional<Mailbox> mailbox(Held held) {
        return backend.mailbox(held);
    }

    /** Lengthens leases; answers those that are lost. */
    public List<Held> extend(List<Held> leases) {
        return backend.extend(leases);
    }

    /** Calls the listener soon after something happened that concerns a worker who serves these. */
    public Backend.Watch watch(List<Claim.Served> served, Backend.Listener listener) {
        return backend.watch(served, listener);
    }

    /**
     * Says that a worker is alive, and what it serves.
     *
     * @param name what people know it by
     * @param concurrency how many runs it works on at once
     */
    public void announce(ProcessId worker, String name, List<Claim.Served> served, int concurrency) {
        setup.store()
                .announce(new Announcement(
                        setup.tenant(),
                        worker,
                        name,
                        served,
                        concurrency,
                        setup.limits().upkeep().announceKept()));
        announced.run();
    }

    /** Gives back the runs that wait for workers to claim them. */
    void close() {
        backend.close();
    }

    /** Says that a worker is gone; nothing happens where it was not there. */
    public void withdraw(ProcessId worker) {
        setup.store().withdraw(setup.tenant(), worker);
    }
}
