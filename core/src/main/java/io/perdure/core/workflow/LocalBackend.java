package io.perdure.core.workflow;

import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Committed.Contents;
import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.Hint;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Ledger;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Pending;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.core.store.Store;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.worker.Answer;
import io.perdure.sdk.worker.Assignment;
import io.perdure.sdk.worker.Backend;
import io.perdure.sdk.worker.Claim;
import io.perdure.sdk.worker.Claimed;
import io.perdure.sdk.worker.Held;
import io.perdure.sdk.worker.Mailbox;
import io.perdure.sdk.worker.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The worker's port, onto the store of this process. */
final class LocalBackend implements Backend {
    /** A claim that the store meets later than this takes no lapsed runs: it was held up, and so was everybody else. */
    private static final Duration PROMPT = Duration.ofSeconds(2);

    private final Workflows.Setup setup;
    private final Store store;
    private final Ledger ledger;
    private final Environment environment;
    private final TenantId tenant;
    private final List<Claim.Served> served;
    private final Set<QueueName> queues;
    private final Duration leaseLength;
    private final Lease.Holder holder;
    private final Lease leaseOfStarts;
    private final StoreClock clock;
    private final ReadBound bound;
    private final boolean worksHere;
    private final ClaimedRuns claimed;
    private final LargeRuns large;
    private final ClaimReads reads;

    /** For the worker of this process. */
    LocalBackend(Workflows.Setup setup, List<Claim.Served> served) {
        this(setup, served, Lease.Holder.THIS_PROCESS, null);
    }

    private LocalBackend(
            Workflows.Setup setup, List<Claim.Served> served, Lease.Holder holder, @Nullable LargeRuns shared) {
        this.setup = setup;
        this.store = setup.store();
        this.ledger = setup.ledger();
        this.environment = setup.environment();
        this.tenant = setup.tenant();
        this.leaseLength = setup.limits().runs().lease();
        this.holder = holder;
        this.leaseOfStarts = new Lease(environment.ids().token(), leaseLength, holder);
        this.clock = new StoreClock(store, environment);
        this.bound = switch (holder) {
            case THIS_PROCESS -> ReadBound.ofWorker(setup.limits());
            case REMOTE_WORKER -> ReadBound.ofAnswers(setup.limits());
        };
        this.worksHere = holder == Lease.Holder.THIS_PROCESS;
        this.claimed = new ClaimedRuns(ledger, tenant, environment);
        UnreadableRuns unreadable = new UnreadableRuns(setup, bound, claimed);
        this.large = shared == null ? new LargeRuns(setup, bound, claimed, unreadable) : shared;
        this.reads = new ClaimReads(setup, bound, unreadable, large, claimed);
        this.served = List.copyOf(served);
        this.queues = new ClaimRuns(tenant, this.served, 1, leaseOfStarts)
                .lines().stream().map(ClaimRuns.Line::queue).collect(Collectors.toUnmodifiableSet());
    }

    /** For workers elsewhere, who say with each claim what they serve. */
    static LocalBackend ofWorkersElsewhere(Workflows.Setup setup) {
        return new LocalBackend(setup, List.of(), Lease.Holder.REMOTE_WORKER, null);
    }

    /** Watches for a worker elsewhere who serves these, and claims from this one. */
    Watch watch(List<Claim.Served> theirs, Listener listener) {
        return new LocalBackend(setup, theirs, holder, large).watch(listener);
    }

    /** The lease that runs are started under here. One token serves all of them, for none of them was anybody's before. */
    Lease leaseOfStarts() {
        return leaseOfStarts;
    }

    @Override
    public Claimed claim(Claim claim) {
        return claim(claim, _ -> true);
    }

    /** Claims for somebody who may not take all of it: once they take one no more, it is let go of, with all that is left, and they are offered none. */
    Claimed claim(Claim claim, Predicate<Assignment> taker) {
        long asked = environment.nanoTime();
        List<Assignment> large = large(claim, taker);
        if (!large.isEmpty()) {
            return new Claimed(large, Duration.ZERO);
        }
        Instant reclaimsUntil = claim.reclaims() ? clock.atLeast(asked).plus(PROMPT) : Instant.EPOCH;
        io.perdure.core.store.Claimed claimed = store.claim(request(claim.served(), claim.max(), reclaimsUntil));
        Duration nextIn = nextIn(claimed);
        List<Assignment> taken = new ArrayList<>(claimed.runs().size());
        boolean all = read(claimed.runs(), asked, one -> taker.test(one) && taken.add(one));
        return new Claimed(taken, all ? nextIn : Duration.ZERO);
    }

    private @Nullable Duration nextIn(io.perdure.core.store.Claimed answer) {
        try {
            return answer.nextReady() == null ? null : clock.until(answer.nextReady());
        } catch (PerdureException e) {
            // The claim fails, so what it brought does not begin.
            claimed.postpone(answer.runs());
            throw e;
        }
    }

    /** Takes runs that were read aside since the claim before. */
    private List<Assignment> large(Claim claim, Predicate<Assignment> taker) {
        List<Assignment> taken = new ArrayList<>();
        boolean full = false;
        for (LargeRuns.Ready one : large.take(run -> isServed(claim, run), claim.max())) {
            Assignment assignment = assignment(one.run(), one.snapshot());
            full = full || !taker.test(assignment);
            if (full) {
                large.add(one);
            } else {
                taken.add(assignment);
                if (!worksHere) {
                    large.free(one.run().run());
                }
            }
        }
        return taken;
    }

    private static boolean isServed(Claim claim, ClaimedRun run) {
        return claim.served().stream()
                .anyMatch(one ->
                        one.workflow().equals(run.workflow()) && one.versions().contains(run.version()));
    }

    /** A claim of one run, to go along with a commit that may make it due. */
    ClaimRuns request() {
        return request(served, 1, Instant.EPOCH);
    }

    private ClaimRuns request(List<Claim.Served> of, int max, Instant reclaimsUntil) {
        Lease lease = new Lease(environment.ids().token(), leaseLength, holder);
        return new ClaimRuns(tenant, of, max, lease, reclaimsUntil);
    }

    /**
     * Reads what is needed to go on with runs that were claimed, and lets go of those that are not taken; of all, if it throws because the store is away.
     *
     * @param asked when the claim began
     * @return whether nothing was let go of
     */
    boolean read(List<ClaimedRun> runs, long asked, Predicate<Assignment> taker) {
        List<ClaimedRun> left = reads.read(runs, asked, (run, snapshot) -> taker.test(assignment(run, snapshot)));
        claimed.letGo(left, Due.atOnce());
        return left.isEmpty();
    }

    private Assignment assignment(ClaimedRun run, RunSnapshot snapshot) {
        RunRow row = snapshot.run();
        return assignment(run, new Contents(row.deadline(), row.wakes(), snapshot.history(), snapshot.mailbox()));
    }

    Assignment assignment(ClaimedRun run, Contents contents) {
        return new Assignment(
                new Held(run.run(), run.receipt().token()),
                run.workflow(),
                run.version(),
                run.lapses(),
                run.leasedUntil().minus(leaseLength),
                contents.deadline(),
                contents.history(),
                mailbox(contents.wakes(), contents.mailbox()));
    }

    @Override
    public Optional<Mailbox> mailbox(Held held) {
        return store.mailbox(tenant, held.run(), 0, bound.bytes()).map(page -> {
            if (page.more()) {
                // Its lease runs out then; the next claim finds out how large it is, and parks it.
                throw bound.exceededBy(held.run(), bound.bytes() + 1);
            }
            return mailbox(page.wakes(), page.entries());
        });
    }

    static Mailbox mailbox(long wakes, List<MailboxEntry> letters) {
        return new Mailbox(
                wakes,
                letters.stream()
                        .map(entry -> new Mailbox.Letter(entry.number(), entry.event(), entry.payload(), entry.at()))
                        .toList());
    }

    @Override
    public Handed commit(Progress progress) {
        Pending pending = hand(progress);
        return () -> answer(progress.held().run(), pending.await());
    }

    Pending hand(Progress progress) {
        Held held = progress.held();
        if (progress.letsGo()) {
            large.free(held.run());
        }
        return ledger.hand(new RunCommit.Advance(
                tenant, held.run(), held.token(), progress.seq(), progress.events(), List.of(), progress.release()));
    }

    static Answer answer(RunId run, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Appended appended -> new Answer.Kept(appended.events());
            case Outcome.LeaseLost(var status) ->
                new Answer.Lost("the lease is gone" + (status == null ? "" : ", the run is " + status.word()));
            case Outcome.Woken _ -> new Answer.Woken();
            case Outcome.Conflict(long last) -> new Answer.Lost("somebody else appended event " + last);
            case Outcome.Refused(var why, String detail) -> new Answer.Refused(why.code(), detail);
            case Outcome other -> throw new IllegalStateException("run " + run + " was answered with " + other);
        };
    }

    @Override
    public List<Held> extend(List<Held> leases) {
        large.renew(leases);
        List<Extended> answers = store.extend(leases.stream()
                .map(held -> new Extend(tenant, new Receipt(MessageId.of(held.run()), held.token()), leaseLength))
                .toList());
        List<Held> lost = new ArrayList<>();
        for (int i = 0; i < answers.size(); i++) {
            if (answers.get(i) instanceof Extended.Lost) {
                lost.add(leases.get(i));
            }
        }
        return lost;
    }

    @Override
    public Watch watch(Listener listener) {
        Store.Watch watch = store.watch(hint -> {
            switch (hint) {
                case Hint.Ready(TenantId of, QueueName queue) -> {
                    if (of.equals(tenant) && queues.contains(queue)) {
                        listener.due();
                    }
                }
                case Hint.Ended(TenantId of, RunId run) -> {
                    if (of.equals(tenant)) {
                        listener.ended(run);
                    }
                }
                case Hint.Anything() -> listener.due();
            }
        });
        Runnable stop = large.listen(listener::due);
        return () -> {
            stop.run();
            watch.close();
            if (worksHere) {
                close();
            }
        };
    }

    /** Gives back the runs that were claimed and wait to be taken. */
    void close() {
        large.close();
    }
}
