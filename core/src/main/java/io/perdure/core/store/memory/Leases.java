package io.perdure.core.store.memory;

import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed;
import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.memory.QueueState.Message;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.queue.DeadLetter.Reason;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rules by which runs and messages are leased, and leases are lengthened. */
final class Leases {
    private final Tables tables;
    private final Messages messages;

    Leases(Tables tables, Messages messages) {
        this.tables = tables;
        this.messages = messages;
    }

    Claimed claim(ClaimRuns request, Instant now) {
        tables.shortenTooLongLeases(now);
        List<ClaimRuns.Line> lines = request.lines();
        List<Deque<RunState>> waiting = new ArrayList<>();
        for (ClaimRuns.Line line : lines) {
            waiting.add(new ArrayDeque<>(inQueue(request, line)
                    .filter(run -> message(run).isAvailable(now))
                    .filter(run -> request.reclaimsAt(now) || !message(run).isTaken())
                    .toList()));
        }
        List<ClaimedRun> claimed = new ArrayList<>();
        boolean any = true;
        while (any) {
            any = false;
            for (int line = 0; line < lines.size() && claimed.size() < request.max(); line++) {
                RunState run = waiting.get(line).poll();
                if (run != null) {
                    any = true;
                    run.version = lines.get(line).version();
                    claimed.add(take(run, lines.get(line).version(), request.lease(), now));
                }
            }
        }
        Stream<Instant> times =
                lines.stream().flatMap(line -> inQueue(request, line)).map(run -> message(run).readyAt);
        return new Claimed(claimed, firstAfter(now, times));
    }

    private Stream<RunState> inQueue(ClaimRuns request, ClaimRuns.Line line) {
        return tables.runs(request.tenant()).stream()
                .filter(run -> run.message != null && run.queue().equals(line.queue()))
                .sorted(Comparator.comparing((RunState run) -> message(run).readyAt)
                        .thenComparing(run -> run.id));
    }

    /** Taken while the lease before was never given back: that one has lapsed. An event since then starts the count anew. */
    private static ClaimedRun take(RunState run, int version, Lease lease, Instant now) {
        RunState.Message message = message(run);
        if (message.isTaken()) {
            boolean progress = run.last() > message.leasedAtSeq;
            message.lapses = progress ? 1 : message.lapses + 1;
        }
        message.leasedAtSeq = run.last();
        message.wakeOn = Set.of();
        message.take(lease, now);
        Receipt receipt = new Receipt(MessageId.of(run.id), lease.token());
        return new ClaimedRun(run.id, run.definition.workflow(), version, receipt, message.lapses, message.readyAt);
    }

    private static RunState.Message message(RunState run) {
        return Objects.requireNonNull(run.message, "a run in a queue has a message");
    }

    Received receive(Receive request, Instant now) {
        QueueState queue = tables.queue(request.tenant(), request.queue());
        tables.shortenTooLongLeases(now);
        List<Delivery> deliveries = new ArrayList<>();
        int leftOut = 0;
        Optional<Message> next = next(queue, request, now);
        while (next.isPresent() && deliveries.size() < request.max() && leftOut < Receive.MOST_LEFT_OUT) {
            Message message = next.get();
            if (message.isExpired(now)) {
                queue.expire(message);
                leftOut++;
            } else if (queue.isUsedUp(message)) {
                messages.giveUp(request.tenant(), queue, message, Reason.DELIVERIES_USED_UP, now);
                leftOut++;
            } else {
                message.take(request.lease(), now);
                message.delivered(queue.name.holdsDeadLetters(), now);
                deliveries.add(new Delivery(request.lease().token(), message.row(queue.name, now)));
            }
            next = next(queue, request, now);
        }
        if (deliveries.size() == request.max()) {
            return new Received(deliveries, null);
        }
        return new Received(
                deliveries,
                leftOut == Receive.MOST_LEFT_OUT
                        ? now.plus(1, ChronoUnit.MICROS)
                        : firstAfter(now, queue.heads().map(message -> message.readyAt)));
    }

    private static Optional<Message> next(QueueState queue, Receive request, Instant now) {
        return queue.due(now)
                .filter(message -> request.only().isEmpty() || request.only().contains(message.sent.id()))
                .findFirst();
    }

    Extended extend(Extend extend, Instant now) {
        MessageId id = extend.receipt().message();
        Optional<RunState> run = tables.findRun(extend.tenant(), new RunId(id.value()));
        Optional<Leasable> held = Stream.concat(
                        run.<Leasable>map(state -> state.message).stream(),
                        messages.find(extend.tenant(), id).map(queue -> queue.messages.get(id)).stream())
                .filter(message -> message.isHeldBy(extend.receipt().token()))
                .findFirst();
        if (held.isEmpty()) {
            return new Extended.Lost(run.map(state -> state.status).orElse(null));
        }
        held.get().extend(extend.length(), now);
        return new Extended.Until(held.get().readyAt);
    }

    private static @Nullable Instant firstAfter(Instant now, Stream<Instant> times) {
        return times.filter(time -> time.isAfter(now) && time.isBefore(Due.FAR_FUTURE))
                .min(Comparator.naturalOrder())
                .orElse(null);
    }
}
