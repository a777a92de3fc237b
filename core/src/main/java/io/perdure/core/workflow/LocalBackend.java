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
import io.perdure.sdk.UnreadableHistoryException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.history.RunStatus;
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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
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

    LocalBackend(Workflows.Setup setup, List<Claim.Served> served) {
        this.store = setup.store();
        this.ledger = setup.ledger();
        this.environment = setup.environment();
        this.tenant = setup.tenant();
        this.leaseLength = setup.limits().runs().lease();
        this.leaseOfStarts = new Lease(environment.ids().token(), leaseLength);
        this.clock = new StoreClock(store, environment);
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
        long asked = environment.nanoTime();
        Instant reclaimsUntil = claim.reclaims() ? clock.atLeast(asked).plus(PROMPT) : Instant.EPOCH;
        io.perdure.core.store.Claimed claimed = store.claim(request(claim.served(), claim.max(), reclaimsUntil));
        Duration nextIn = claimed.nextReady() == null ? null : clock.until(claimed.nextReady());
        return new Claimed(read(claimed.runs()), nextIn);
    }

    /** A claim of one run, to go along with a commit that may make it due. */
    ClaimRuns request() {
        return request(served, 1, Instant.EPOCH);
    }

    private ClaimRuns request(List<Claim.Served> of, int max, Instant reclaimsUntil) {
        return new ClaimRuns(tenant, of, max, new Lease(environment.ids().token(), leaseLength), reclaimsUntil);
    }

    /** Reads what is needed to go on with runs that were claimed. */
    List<Assignment> read(List<ClaimedRun> runs) {
        if (runs.isEmpty()) {
            return List.of();
        }
        Map<RunId, RunSnapshot> snapshots = readable(
                        runs.stream().map(ClaimedRun::run).toList())
                .stream()
                .collect(Collectors.toMap(snapshot -> snapshot.run().id(), Function.identity()));
        List<Assignment> assignments = new ArrayList<>(runs.size());
        for (ClaimedRun run : runs) {
            RunSnapshot snapshot = snapshots.get(run.run());
            // Cancelled or parked since the claim: the lease is gone with it.
            if (snapshot != null && snapshot.run().status() == RunStatus.RUNNING) {
                RunRow row = snapshot.run();
                assignments.add(assignment(
                        run, new Contents(row.deadline(), row.wakes(), snapshot.history(), snapshot.mailbox())));
            }
        }
        return assignments;
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

    /** The histories that can be read. One that cannot keeps its own run from going on, and no other. */
    private List<RunSnapshot> readable(List<RunId> runs) {
        try {
            return store.snapshots(tenant, runs);
        } catch (UnreadableHistoryException e) {
            if (runs.size() == 1) {
                LOG.log(System.Logger.Level.WARNING, "Run " + runs.getFirst() + " cannot go on. " + e.logged());
                return List.of();
            }
            return runs.stream().flatMap(run -> readable(List.of(run)).stream()).toList();
        }
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
