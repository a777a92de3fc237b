package io.perdure.core.workflow;

import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.Hint;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Ledger;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Pending;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.core.store.Store;
import io.perdure.core.store.Taken;
import io.perdure.core.store.Taken.TakenRun;
import io.perdure.sdk.environment.Environment;
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
import java.util.stream.Collectors;

/** The worker's port, onto the store of this process. */
final class LocalBackend implements Backend {
    private static final System.Logger LOG = System.getLogger(LocalBackend.class.getPackageName());

    /** A claim that the store meets later than this takes no lapsed runs: it was held up, and so was everybody else. */
    private static final Duration PROMPT = Duration.ofSeconds(2);

    private final Store store;
    private final Ledger ledger;
    private final Environment environment;
    private final TenantId tenant;
    private final List<ClaimRuns.Served> served;
    private final Set<QueueName> queues;
    private final Duration leaseLength;
    private final Lease leaseOfStarts;
    private final StoreClock clock;

    LocalBackend(Workflows.Setup setup, List<Claim.Served> served) {
        this.store = setup.store();
        this.ledger = setup.ledger();
        this.environment = setup.environment();
        this.tenant = setup.tenant();
        this.leaseLength = setup.limits().runs().lease();
        this.leaseOfStarts = new Lease(environment.ids().token(), leaseLength);
        this.clock = new StoreClock(store, environment);
        this.served = named(served);
        this.queues = new ClaimRuns(tenant, this.served, 1, leaseOfStarts)
                .lines().stream().map(ClaimRuns.Line::queue).collect(Collectors.toUnmodifiableSet());
    }

    /** The lease that runs are started under here. One token serves all of them, for none of them was anybody's before. */
    Lease leaseOfStarts() {
        return leaseOfStarts;
    }

    private static List<ClaimRuns.Served> named(List<Claim.Served> served) {
        return served.stream()
                .map(one -> new ClaimRuns.Served(one.workflow(), one.versions()))
                .toList();
    }

    @Override
    public Claimed claim(Claim claim) {
        long asked = environment.nanoTime();
        Instant reclaimsUntil = claim.reclaims() ? clock.atLeast(asked).plus(PROMPT) : Instant.EPOCH;
        Taken taken = store.take(request(named(claim.served()), claim.max(), reclaimsUntil));
        return new Claimed(assignments(taken), taken.nextReady() == null ? null : clock.until(taken.nextReady()));
    }

    /** A claim of what is due and was nobody's, to go along with a commit. */
    ClaimRuns request(int max) {
        return request(served, max, Instant.EPOCH);
    }

    private ClaimRuns request(List<ClaimRuns.Served> of, int max, Instant reclaimsUntil) {
        return new ClaimRuns(tenant, of, max, new Lease(environment.ids().token(), leaseLength), reclaimsUntil);
    }

    /** What a worker is given of these. */
    List<Assignment> assignments(Taken taken) {
        taken.unreadable()
                .forEach((run, why) ->
                        LOG.log(System.Logger.Level.WARNING, "Run " + run + " cannot go on. " + why.getMessage()));
        return taken.runs().stream().map(this::assignment).toList();
    }

    private Assignment assignment(TakenRun taken) {
        ClaimedRun run = taken.claimed();
        return new Assignment(
                new Held(run.run(), run.receipt().token()),
                run.workflow(),
                run.version(),
                run.lapses(),
                run.leasedUntil().minus(leaseLength),
                taken.deadline(),
                taken.history(),
                mailbox(taken.wakes(), taken.mailbox()));
    }

    @Override
    public Optional<Mailbox> mailbox(Held held) {
        return store.snapshots(tenant, List.of(held.run())).stream()
                .findFirst()
                .map(snapshot -> mailbox(snapshot.run().wakes(), snapshot.mailbox()));
    }

    private static Mailbox mailbox(long wakes, List<MailboxEntry> letters) {
        return new Mailbox(
                wakes,
                letters.stream()
                        .map(entry -> new Mailbox.Letter(entry.number(), entry.event(), entry.payload(), entry.at()))
                        .toList());
    }

    @Override
    public Handed commit(Progress progress) {
        Held held = progress.held();
        Pending pending = ledger.hand(new RunCommit.Advance(
                tenant, held.run(), held.token(), progress.seq(), progress.events(), List.of(), progress.release()));
        return () -> answer(held.run(), pending.await());
    }

    private static Answer answer(RunId run, Outcome outcome) {
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
