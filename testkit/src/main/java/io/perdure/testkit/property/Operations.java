package io.perdure.testkit.property;

import io.perdure.core.store.Announcement;
import io.perdure.core.store.Batch;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Extend;
import io.perdure.core.store.LaneId;
import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Receive;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.Store;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.worker.Claim.Served;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Draws one operation after another, guided by what the model holds, so that most of them mean something. */
final class Operations {
    private static final int LANES = 2;
    private static final int ALL = 10_000;
    private static final int REMEMBERED = 40;
    private static final int WORKERS = 4;

    /** Beyond so many active runs of a tenant, old ones are cancelled. */
    private static final int CROWDED = 80;

    private final Dice dice;
    private final World world;
    private final RunCommits runs;
    private final QueueCommits queues;
    private final RunQueries lists;
    private final List<ProcessId> workers;
    private @Nullable ProcessId process;
    private final long[] numbers = new long[LANES];
    private final List<Batch> recent = new ArrayList<>();

    Operations(Dice dice, World world, Store model) {
        this.dice = dice;
        this.world = world;
        this.queues = new QueueCommits(dice, world, model);
        this.lists = new RunQueries(dice, model);
        this.runs = new RunCommits(dice, world, model, queues);
        this.workers = Stream.generate(dice.ids::processId).limit(WORKERS).toList();
    }

    Operation next() {
        if (process == null) {
            process = dice.ids.processId();
            Arrays.fill(numbers, 0);
            recent.clear();
            return new Operation.OpenLanes(process, LANES);
        }
        return switch (dice.weighted(46, 12, 14, 5, 4, 1, 6, 2, 2, 12)) {
            case 0 -> new Operation.Send(batch(process));
            case 1 -> new Operation.Claim(claim());
            case 2 -> new Operation.ReceiveSome(receive());
            case 3 -> new Operation.ExtendSome(extensions());
            case 4 -> resend(process);
            case 5 -> misnumbered(process);
            case 6 -> read();
            case 7 -> sweep();
            case 8 -> worker();
            default -> new Operation.MoveClock(move());
        };
    }

    /** The lanes were forgotten: the next operation opens new ones. */
    void laneLost() {
        process = null;
    }

    private Batch batch(ProcessId of) {
        int lane = dice.from(0, LANES - 1);
        numbers[lane]++;
        List<Commit> commits = new ArrayList<>();
        runs.beginBatch();
        TenantId tenant = dice.pick(World.TENANTS);
        List<RunRow> active = lists.in(tenant, RunStatus.RUNNING, ALL);
        int count = dice.from(1, 8);
        for (int index = 0; index < count; index++) {
            if (active.size() - index > CROWDED) {
                RunRow oldest = active.get(active.size() - 1 - index);
                commits.add(RunCommits.reap(oldest.tenant(), oldest.id()));
            } else {
                commits.add(dice.chance(60) ? runs.next() : queues.next());
            }
        }
        recent.add(new Batch(new LaneId(of, lane), numbers[lane], commits));
        if (recent.size() > REMEMBERED) {
            recent.removeFirst();
        }
        return recent.getLast();
    }

    /** Mostly the newest batch, which is what a lost answer leads to; else one before it. */
    private Operation resend(ProcessId of) {
        Optional<Batch> earlier =
                dice.chance(70) && !recent.isEmpty() ? Optional.of(recent.getLast()) : dice.pickRecent(recent);
        return earlier.<Operation>map(Operation.Resend::new).orElseGet(() -> new Operation.Send(batch(of)));
    }

    private Operation sweep() {
        Sweep what = dice.pick(List.of(Sweep.values()));
        int limit = dice.chance(50) ? ALL : dice.from(1, 5);
        boolean ordered = switch (what) {
            case EXPIRED_MESSAGES, RETIRED_RUNS, GONE_WORKERS, NOTED_REQUESTS -> true;
            // Which goes first of those that were over at one moment is not said, and might show later.
            case DEDUPLICATION_IDS, LANE_BATCHES -> false;
        };
        return ordered && dice.chance(50) ? new Operation.SweepSome(what, limit) : new Operation.SweepOut(what, limit);
    }

    private Operation misnumbered(ProcessId of) {
        LaneId lane = new LaneId(of, dice.from(0, LANES));
        long ahead = lane.number() < LANES ? numbers[lane.number()] + dice.from(2, 4) : 1;
        runs.beginBatch();
        return new Operation.Misnumber(new Batch(lane, ahead, List.of(runs.next())));
    }

    private Operation worker() {
        TenantId tenant = dice.pick(World.TENANTS);
        ProcessId worker = dice.pick(workers);
        List<Served> served = served();
        if (served.isEmpty() || dice.chance(10)) {
            return new Operation.Withdraw(tenant, worker);
        }
        Duration length = dice.nanosUpTo(Duration.ofMinutes(3)).plusNanos(1);
        return new Operation.Announce(new Announcement(tenant, worker, dice.key(2), served, dice.from(1, 9), length));
    }

    private List<Served> served() {
        List<Served> served = new ArrayList<>();
        for (var workflow : World.WORKFLOWS) {
            if (dice.chance(80)) {
                served.add(
                        new Served(workflow, dice.pick(List.of(Set.of(1), Set.of(2), Set.of(1, 2), Set.of(1, 2, 3)))));
            }
        }
        return served;
    }

    private ClaimRuns claim() {
        List<Served> served = served();
        boolean turned = dice.chance(50);
        return new ClaimRuns(
                dice.chance(80) ? World.TENANTS.getFirst() : World.TENANTS.getLast(),
                turned ? served.reversed() : served,
                dice.from(1, 8),
                dice.lease(),
                dice.chance(95) ? Due.FAR_FUTURE : Instant.EPOCH);
    }

    private Receive receive() {
        TenantId tenant = dice.chance(80) ? World.TENANTS.getFirst() : World.TENANTS.getLast();
        QueueName queue = queues.queueOrDeadLetters();
        Set<MessageId> only = dice.chance(85)
                ? Set.of()
                : queues.listed(new MessageQuery(tenant, queue, false, null, 10)).stream()
                        .map(MessageRow::id)
                        .filter(_ -> dice.chance(40))
                        .collect(Collectors.toSet());
        return new Receive(tenant, queue, dice.from(1, 6), dice.lease(), only);
    }

    private List<Extend> extensions() {
        List<Extend> extensions = new ArrayList<>();
        int count = dice.from(1, 4);
        for (int index = 0; index < count; index++) {
            Duration length = Duration.ofSeconds(dice.from(1, 30));
            dice.pickRecent(world.held)
                    .ifPresent(held -> extensions.add(new Extend(
                            held.tenant(),
                            new Receipt(MessageId.of(held.run()), held.lease().token()),
                            length)));
            dice.pickRecent(world.delivered)
                    .ifPresent(
                            delivered -> extensions.add(new Extend(delivered.tenant(), delivered.receipt(), length)));
        }
        return extensions;
    }

    private Operation read() {
        TenantId tenant = dice.pick(World.TENANTS);
        return switch (dice.weighted(4, 1, 1, 1, 1)) {
            case 0 -> lists(tenant);
            case 1 -> messages(tenant);
            case 2 -> new Operation.ReadRun(tenant, someRun());
            case 3 -> new Operation.ReadHistory(tenant, someRun(), dice.from(0, 6), dice.from(1, 8));
            default -> new Operation.LookUpKey(tenant, dice.pick(World.WORKFLOWS), new IdempotencyKey(dice.key(13)));
        };
    }

    private Operation lists(TenantId tenant) {
        return switch (dice.weighted(18, 1, 6)) {
            case 0 -> new Operation.ListRuns(lists.query(tenant, dice.from(1, 20)));
            case 1 -> new Operation.ListAllRuns(lists.query(tenant, dice.from(1, 20)));
            default ->
                new Operation.ListOverdue(
                        tenant,
                        dice.chance(50) ? Duration.ZERO : dice.nanosUpTo(Duration.ofMinutes(1)),
                        dice.from(1, 20));
        };
    }

    /** A run that was started once, by this tenant or another. */
    private RunId someRun() {
        return dice.pickRecent(world.runs).map(World.Started::run).orElseGet(dice.ids::runId);
    }

    private Operation messages(TenantId tenant) {
        QueueName queue = queues.queueOrDeadLetters();
        MessageQuery.Cursor after = dice.pickRecent(queues.listed(new MessageQuery(tenant, queue, false, null, 20)))
                .filter(_ -> dice.chance(50))
                .map(row -> new MessageQuery.Cursor(row.readyAt(), row.id()))
                .orElse(null);
        return new Operation.ListMessages(new MessageQuery(tenant, queue, dice.chance(50), after, dice.from(1, 20)));
    }

    /** Mostly small steps, some past leases and delays, a few past every retention, and some back. */
    private Duration move() {
        return switch (dice.weighted(50, 24, 10, 4, 4, 8)) {
            case 0 -> dice.nanosUpTo(Duration.ofSeconds(2));
            case 1 -> dice.nanosUpTo(Duration.ofSeconds(40));
            case 2 -> dice.nanosUpTo(Duration.ofMinutes(6));
            case 3 -> dice.nanosUpTo(Duration.ofHours(3));
            case 4 -> Duration.ofDays(1).plus(dice.nanosUpTo(Duration.ofDays(4)));
            default -> dice.nanosUpTo(Duration.ofSeconds(15)).negated();
        };
    }
}
