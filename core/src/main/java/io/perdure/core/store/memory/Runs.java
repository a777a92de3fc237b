package io.perdure.core.store.memory;

import io.perdure.core.store.ChildNotice;
import io.perdure.core.store.Hint;
import io.perdure.core.store.Histories;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.core.store.RunCommit.Intervene;
import io.perdure.core.store.RunCommit.Signal;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.queue.SentMessage;
import io.perdure.sdk.worker.Release;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The rules by which runs begin, go on and end. Each looks at everything first, and changes something only after. */
final class Runs {
    private final Tables tables;
    private final Messages messages;

    Runs(Tables tables, Messages messages) {
        this.tables = tables;
        this.messages = messages;
    }

    Outcome start(Start start, Instant now) {
        Optional<ClaimedKey> idempotency = ClaimedKey.idempotency(start);
        Optional<ClaimedKey> workflowId = ClaimedKey.workflowId(start);
        String fingerprint = idempotency.isPresent() ? start.definition().fingerprint() : "";

        Optional<Keys.Holding> bound = idempotency.flatMap(key -> tables.keys.holding(key, now));
        if (bound.isPresent()) {
            RunState winner = tables.run(start.tenant(), new RunId(bound.get().holder()));
            return bound.get().detail().equals(fingerprint)
                    ? new Outcome.Duplicate(winner.id, winner.status, Outcome.Key.IDEMPOTENCY_KEY)
                    : new Outcome.Refused(
                            Refusal.KEY_REUSED,
                            "Idempotency key \"%s\" of workflow %s started run %s with other input."
                                    .formatted(
                                            start.options().idempotencyKey(),
                                            start.definition().workflow(),
                                            winner.id));
        }
        Optional<Keys.Holding> active = workflowId.flatMap(key -> tables.keys.holding(key, now));
        if (active.isPresent()) {
            RunState winner = tables.run(start.tenant(), new RunId(active.get().holder()));
            idempotency.ifPresent(key -> bind(key, winner.id, fingerprint));
            return new Outcome.Duplicate(winner.id, winner.status, Outcome.Key.WORKFLOW_ID);
        }
        Optional<RunState> sameId = tables.findRun(start.tenant(), start.run());
        if (sameId.isPresent()) {
            return new Outcome.Conflict(sameId.get().last());
        }
        idempotency.ifPresent(key -> bind(key, start.run(), fingerprint));
        workflowId.ifPresent(key -> bind(key, start.run(), ""));
        return create(start, now);
    }

    private void bind(ClaimedKey key, RunId run, String detail) {
        tables.keys.bind(key, new Keys.Holding(run.value(), detail, null));
    }

    private Outcome create(Start start, Instant now) {
        Due deadline = start.options().deadline();
        RunState run = new RunState(start, now, deadline instanceof Due.Never ? null : deadline.fixedAt(now));
        tables.add(run);
        RunState.Message message = putMessage(run, start.ready(), now);
        Lease lease = start.lease();
        if (lease != null) {
            message.take(lease, now);
        } else {
            // A delayed one too: whoever waits learns when to look.
            tables.hint(new Hint.Ready(run.tenant, run.queue()));
        }
        return new Outcome.Started(now, run.deadline);
    }

    Outcome advance(Advance advance, Instant now) {
        Optional<RunState> found = tables.findRun(advance.tenant(), advance.run());
        if (found.isEmpty()) {
            return noSuchRun(advance.tenant(), advance.run());
        }
        RunState run = found.get();
        RunState.Message message = run.message;
        if (message == null || !message.isHeldBy(advance.token())) {
            return new Outcome.LeaseLost(run.status);
        }
        if (advance.seq() != run.last() + 1) {
            return new Outcome.Conflict(run.last());
        }
        Optional<Outcome> obstacle =
                obstacle(run, advance).or(() -> messages.obstacle(advance.tenant(), advance.sends()));
        if (obstacle.isPresent()) {
            return obstacle.get();
        }
        List<Recorded> appended = tables.append(run, advance.events(), now);
        advance.events().forEach(draft -> Histories.signalTaken(draft.event()).ifPresent(run.mailbox::remove));
        List<SentMessage> sent = messages.putAll(advance.tenant(), advance.sends(), now);
        Release release = advance.release();
        if (run.status != RunStatus.RUNNING) {
            leave(run, now);
        } else if (release != null) {
            message.release(run.orDeadline(release.ready().fixedAt(now)), release.wakeOn(), run.last());
            tables.hintIfReady(run, now);
        }
        return new Outcome.Appended(appended, run.status, sent);
    }

    /** What stands in the way of a worker that holds its lease and named the right number. */
    private Optional<Outcome> obstacle(RunState run, Advance advance) {
        boolean full = !advance.events().isEmpty()
                && run.last() + advance.events().size() > tables.limits.runs().events();
        if (full && !Histories.ends(advance.events())) {
            return refused(
                    Refusal.HISTORY_FULL,
                    "Run " + run.id + " has " + run.last() + " events of at most "
                            + tables.limits.runs().events() + ".");
        }
        Set<Long> taken = new HashSet<>();
        for (Draft draft : advance.events()) {
            OptionalLong signal = Histories.signalTaken(draft.event());
            if (signal.isPresent()
                    && !(isWaiting(run, draft.event(), signal.getAsLong()) && taken.add(signal.getAsLong()))) {
                return refused(
                        Refusal.NO_SUCH_SIGNAL,
                        "Run " + run.id + " has no such signal " + signal.getAsLong() + " in its mailbox.");
            }
        }
        Release release = advance.release();
        return release != null && !release.wakeOn().isEmpty() && release.wakes() != run.wakes
                ? Optional.of(new Outcome.Woken(run.wakes))
                : Optional.empty();
    }

    /** Whether the mailbox holds this number, under the name that the event takes it by. */
    private static boolean isWaiting(RunState run, Event event, long number) {
        MailboxEntry entry = run.mailbox.get(number);
        return entry != null && Histories.takes(event, entry.event());
    }

    Outcome intervene(Intervene intervene, Instant now) {
        Optional<RunState> found = tables.findRun(intervene.tenant(), intervene.run());
        if (found.isEmpty()) {
            return noSuchRun(intervene.tenant(), intervene.run());
        }
        RunState run = found.get();
        if (intervene.ifLast().isPresent() && intervene.ifLast().getAsLong() != run.last()) {
            return new Outcome.Conflict(run.last());
        }
        RunStatus status = run.status;
        for (var draft : intervene.events()) {
            Optional<RunStatus> next = status.after(draft.event());
            boolean repair = status == RunStatus.RUNNING && draft.event() instanceof Event.RunResumed;
            if (next.isEmpty() || (repair && intervene.ifLast().isEmpty())) {
                return notAllowed(run, status, draft.event());
            }
            status = next.get();
        }
        boolean wasOver = run.status.isTerminal();
        Optional<ClaimedKey> workflowId = ClaimedKey.workflowId(run);
        if (wasOver && workflowId.flatMap(key -> tables.keys.holding(key, now)).isPresent()) {
            return new Outcome.Refused(
                    Refusal.WORKFLOW_ID_HELD,
                    "Run %s cannot go on while another run holds workflow id \"%s\"."
                            .formatted(run.id, run.options.workflowId()));
        }
        List<Recorded> appended = tables.append(run, intervene.events(), now);
        if (wasOver && !run.status.isTerminal()) {
            // Also where it is parked again at once: a parked run is active.
            workflowId.ifPresent(key -> bind(key, run.id, ""));
        }
        if (run.status == RunStatus.RUNNING) {
            putMessage(run, intervene.ready(), now);
            tables.hintIfReady(run, now);
        } else {
            leave(run, now);
        }
        return new Outcome.Appended(appended, run.status);
    }

    Outcome signal(Signal signal, Instant now) {
        Optional<RunState> found = tables.findRun(signal.tenant(), signal.run());
        if (found.isEmpty()) {
            return noSuchRun(signal.tenant(), signal.run());
        }
        RunState run = found.get();
        Optional<ClaimedKey> deduplication = ClaimedKey.signal(signal);
        Optional<Keys.Holding> earlier = deduplication.flatMap(key -> tables.keys.holding(key, now));
        if (earlier.isPresent()) {
            return new Outcome.Signalled(Long.parseLong(earlier.get().detail()), false);
        }
        if (run.status.isTerminal()) {
            return new Outcome.Refused(
                    Refusal.RUN_ENDED, "Run %s is %s and takes no signals.".formatted(run.id, run.status.word()));
        }
        if (run.mailbox.size() >= tables.limits.runs().mailbox()) {
            return new Outcome.Refused(
                    Refusal.MAILBOX_FULL, "Run " + run.id + " has " + run.mailbox.size() + " signals waiting.");
        }
        long number = tables.deliver(run, signal.event(), signal.payload(), now);
        deduplication.ifPresent(key -> bind(key, run.id, Long.toString(number)));
        return new Outcome.Signalled(number, true);
    }

    /** Gives the run a fresh message, or takes the one it has away from whoever holds it. */
    private RunState.Message putMessage(RunState run, Due ready, Instant now) {
        RunState.Message message = new RunState.Message(run.orDeadline(ready.fixedAt(now)));
        run.message = message;
        return message;
    }

    /** Takes the message of a run that is parked or over; one that is over also gives up its workflow id and tells its parent. */
    private void leave(RunState run, Instant now) {
        run.message = null;
        tables.hint(new Hint.Ended(run.tenant, run.id));
        if (!run.status.isTerminal()) {
            return;
        }
        ClaimedKey.workflowId(run).ifPresent(tables.keys::free);
        ChildNotice notice = new ChildNotice(run.id, run.status, run.output, run.error);
        Optional.ofNullable(run.options.parent())
                .flatMap(parent -> tables.findRun(run.tenant, parent))
                .filter(parent -> !isOverForGood(parent))
                .ifPresent(parent -> tables.deliver(parent, notice.event(), notice.payload(), now));
    }

    /** A failed run may be redriven, and then looks for what its children left it. */
    private static boolean isOverForGood(RunState run) {
        return run.status.isTerminal() && run.status != RunStatus.FAILED;
    }

    private static Outcome noSuchRun(TenantId tenant, RunId run) {
        return new Outcome.Refused(Refusal.NO_SUCH_RUN, "Tenant %s has no run %s.".formatted(tenant, run));
    }

    private static Outcome notAllowed(RunState run, RunStatus status, Event event) {
        Refusal why =
                status.isTerminal() && !(event instanceof Event.RunRedriven) ? Refusal.RUN_ENDED : Refusal.NOT_ALLOWED;
        return new Outcome.Refused(
                why,
                "Run %s is %s, which does not allow %s."
                        .formatted(run.id, status.word(), event.getClass().getSimpleName()));
    }

    private static Optional<Outcome> refused(Refusal why, String detail) {
        return Optional.of(new Outcome.Refused(why, detail));
    }
}
