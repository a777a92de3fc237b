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
import io.perdure.sdk.logging.Logs;
import io.perdure.sdk.worker.Answer;
import io.perdure.sdk.worker.Assignment;
import io.perdure.sdk.worker.Backend;
import io.perdure.sdk.worker.Claim;
import io.perdure.sdk.worker.Claimed;
import io.perdure.sdk.worker.Held;
import io.perdure.sdk.worker.Mailbox;
import io.perdure.sdk.worker.Progress;
import io.perdure.sdk.worker.Release;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The worker's port, onto the store of this process. */
final class LocalBackend implements Backend {
    private static final System.Logger LOG = Logs.of(LocalBackend.class);

    /** A claim that the store meets later than this takes no lapsed runs: it was held up, and so was everybody else. */
    private static final Duration PROMPT = Duration.ofSeconds(2);

    private final Store store;
    private final Ledger ledger;
    private final Environment environment;
    private final TenantId tenant;
    private final List<Claim.Served> served;
    private final Set<QueueName> queues;
    private final Duration leaseLength;
    private final Lease leaseOfStarts;
    private final StoreClock clock;
    private final ClaimReads reads;

    LocalBackend(Workflows.Setup setup, List<Claim.Served> served) {
        this.store = setup.store();
        this.ledger = setup.ledger();
        this.environment = setup.environment();
        this.tenant = setup.tenant();
        this.leaseLength = setup.limits().runs().lease();
        this.leaseOfStarts = new Lease(environment.ids().token(), leaseLength);
        this.clock = new StoreClock(store, environment);
        this.reads = new ClaimReads(setup);
        this.served = List.copyOf(served);
        this.queues = new ClaimRuns(tenant, this.served, 1, leaseOfStarts)
                .lines().stream().map(ClaimRuns.Line::queue).collect(Collectors.toUnmodifiableSet());
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
        Instant reclaimsUntil = claim.reclaims() ? clock.atLeast(asked).plus(PROMPT) : Instant.EPOCH;
        io.perdure.core.store.Claimed claimed = store.claim(request(claim.served(), claim.max(), reclaimsUntil));
        Duration nextIn = claimed.nextReady() == null ? null : clock.until(claimed.nextReady());
        List<Assignment> taken = new ArrayList<>(claimed.runs().size());
        boolean all = read(claimed.runs(), asked, one -> taker.test(one) && taken.add(one));
        return new Claimed(taken, all ? nextIn : Duration.ZERO);
    }

    /** A claim of one run, to go along with a commit that may make it due. */
    ClaimRuns request() {
        return request(served, 1, Instant.EPOCH);
    }

    private ClaimRuns request(List<Claim.Served> of, int max, Instant reclaimsUntil) {
        return new ClaimRuns(tenant, of, max, new Lease(environment.ids().token(), leaseLength), reclaimsUntil);
    }

    /**
     * Reads what is needed to go on with runs that were claimed, and lets go of those that are not taken.
     *
     * @param asked when the claim began
     * @return whether nothing was let go of
     */
    boolean read(List<ClaimedRun> runs, long asked, Predicate<Assignment> taker) {
        List<ClaimedRun> left = reads.read(runs, asked, (run, snapshot) -> {
            RunRow row = snapshot.run();
            return taker.test(
                    assignment(run, new Contents(row.deadline(), row.wakes(), snapshot.history(), snapshot.mailbox())));
        });
        letGo(left);
        return left.isEmpty();
    }

    /**
     * Lets go of runs as they were claimed: they are due at once, for anybody. The numbers of their last events need not have been read, for a wrong one is
     * answered with the right one.
     */
    private void letGo(List<ClaimedRun> runs) {
        try {
            List<Outcome> outcomes =
                    ledger.commitAll(runs.stream().map(run -> letGo(run, 1)).toList());
            List<RunCommit> again = new ArrayList<>();
            for (int i = 0; i < runs.size(); i++) {
                // Whatever else it may be answered with, it is ours no more.
                if (outcomes.get(i) instanceof Outcome.Conflict(long last)) {
                    again.add(letGo(runs.get(i), last + 1));
                }
            }
            ledger.commitAll(again);
        } catch (PerdureException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Runs that were claimed could not be let go of, and go on once their leases have ended. "
                            + e.getMessage());
        }
    }

    private RunCommit letGo(ClaimedRun run, long seq) {
        return new RunCommit.Advance(
                tenant, run.run(), run.receipt().token(), seq, List.of(), List.of(), Release.until(Due.atOnce()));
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
        return store.snapshots(tenant, List.of(held.run())).stream()
                .findFirst()
                .map(snapshot -> mailbox(snapshot.run().wakes(), snapshot.mailbox()));
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
        return watch::close;
    }
}
