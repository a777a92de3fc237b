package io.perdure.client;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.logging.Logs;
import io.perdure.sdk.wire.ClaimJson;
import io.perdure.sdk.worker.Backend;
import io.perdure.sdk.worker.Claim;
import io.perdure.sdk.worker.Claimed;
import io.perdure.sdk.worker.Held;
import io.perdure.sdk.worker.Mailbox;
import io.perdure.sdk.worker.Progress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The worker's port, onto a server. */
final class RemoteBackend implements Backend, AutoCloseable {
    /** A claim brings histories, which take their time; a worker whose claim took longer would hold leases that are about to end. */
    private static final Duration CLAIM_TIMEOUT = Duration.ofSeconds(7);

    private static final System.Logger LOG = Logs.of(RemoteBackend.class);

    /** So that an extension on a dead connection is tried once more on another one before the lease has ended. */
    private static final Duration EXTEND_TIMEOUT = Duration.ofSeconds(3);

    private static final Duration MAILBOX_TIMEOUT = Duration.ofSeconds(5);

    /** Two, so that one gathers while the other's request is under way. */
    private static final int LANES = 2;

    private final Agreement agreement;
    private final Environment environment;
    private final List<Claim.Served> served;
    private final Duration lease;
    private final List<CommitLane> lanes;
    private final List<Thread> threads;
    /** The newest answer to a claim: what another one leased got lost on its way, and the server is to know. */
    private volatile long received;

    private volatile long leftAloneUntilNanos;

    RemoteBackend(Agreement agreement, Environment environment, List<Claim.Served> served, Limits limits) {
        this.agreement = agreement;
        this.environment = environment;
        this.served = List.copyOf(served);
        this.lease = limits.runs().lease();
        this.leftAloneUntilNanos = environment.nanoTime();
        this.lanes = Stream.generate(() -> new CommitLane(agreement, environment, limits.remote()))
                .limit(LANES)
                .toList();
        // On threads of their own, as leases are: steps that never wait must not keep commits from going out.
        this.threads = lanes.stream()
                .map(lane -> environment.startApart("perdure-commits", lane))
                .toList();
    }

    @Override
    public Claimed claim(Claim claim) {
        Duration leftAlone = Duration.ofNanos(leftAloneUntilNanos - environment.nanoTime());
        boolean reclaims = claim.reclaims() && !leftAlone.isPositive();
        Claim asked = new Claim(claim.served(), claim.max(), reclaims);
        Json answer = agreement.post("/claim", ClaimJson.write(asked, Duration.ZERO, received), CLAIM_TIMEOUT);
        ClaimJson.Answer read = ClaimJson.answer(
                answer,
                // What is said of an event that is damaged may quote it.
                unreadable -> LOG.log(
                        System.Logger.Level.WARNING,
                        "A run cannot go on here. " + unreadable.code().code() + " "
                                + unreadable.code().title() + ". "
                                + unreadable.code().remedy()));
        // Only now: what could not be read has not arrived, and the server is to let go of it.
        Long number = read.number();
        received = number == null ? received : number;
        return reclaims == claim.reclaims() ? read.claimed() : soonAgain(read.claimed(), leftAlone);
    }

    /** The server said nothing of lapsed runs, which may be taken after so long. */
    private static Claimed soonAgain(Claimed claimed, Duration leftAlone) {
        Duration next = claimed.nextIn();
        return new Claimed(claimed.runs(), next == null || next.compareTo(leftAlone) > 0 ? leftAlone : next);
    }

    @Override
    public Handed commit(Progress progress) {
        OutgoingCommit commit = new OutgoingCommit(progress, environment.nanoTime() + lease.toNanos());
        lanes.get(Math.floorMod(progress.held().run().hashCode(), LANES)).hand(commit);
        return commit;
    }

    @Override
    public Optional<Mailbox> mailbox(Held held) {
        Json answer = agreement.post("/mailbox", ClaimJson.write(held), MAILBOX_TIMEOUT);
        return JsonObject.parse(answer).get("mailbox").map(ClaimJson::mailbox);
    }

    @Override
    public List<Held> extend(List<Held> leases) {
        Json answer = agreement.post("/extend", ClaimJson.write("leases", leases), EXTEND_TIMEOUT);
        return ClaimJson.leases(answer, "lost");
    }

    /**
     * Watches, before the worker claims anything. Where the server was away until now, lapsed runs are left alone for one lease: those who hold them could not extend
     * theirs, and may have to connect again. Later the worker knows by itself, from its extensions and claims, whether lapsed runs may be taken.
     */
    @Override
    public Watch watch(Listener listener) {
        Watch watch = RemoteWatch.open(agreement, environment, served, listener);
        if (agreement.hasFailed()) {
            leftAloneUntilNanos = environment.nanoTime() + lease.toNanos();
        }
        return watch;
    }

    /** Sends what was handed over, and nothing more. */
    @Override
    public void close() {
        lanes.forEach(CommitLane::close);
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(
                    ErrorCode.OUTCOME_UNKNOWN, "Closing was interrupted: commits may still be under way.", e);
        }
    }
}
