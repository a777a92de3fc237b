package io.perdure.store.postgres;

import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Lease;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Redrive;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.QueueFigures;
import io.perdure.sdk.worker.Claim.Served;
import io.perdure.store.Witness;
import io.perdure.store.Witness.Fact;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * What a process does all day, everything told to the witness before it is asked and after it was answered. Messages bear
 * numbers, and the number decides what becomes of a message: one in ten is rejected and lies with the dead letters until
 * somebody puts it back, one in ten is given back once, two of three belong to a group. Safe for several threads.
 */
final class Traffic implements AutoCloseable {
    private static final int SENT_TOGETHER = 3;
    private static final int RECEIVED_TOGETHER = 5;
    private static final int GROUPS = 8;
    private static final long REST_NANOS = 5_000_000;

    private final Mailroom mailroom;
    private final Witness witness;
    private final Duration lease;
    private final AtomicLong next;
    private final AtomicLong nextRun = new AtomicLong();

    /** Opens the database; messages are numbered from the first number on, runs from 0 whoever starts them. */
    Traffic(String url, Witness witness, long firstNumber, Duration lease) {
        this.mailroom = Mailroom.at(url);
        this.witness = witness;
        this.lease = lease;
        this.next = new AtomicLong(firstNumber);
    }

    Mailroom mailroom() {
        return mailroom;
    }

    static @Nullable GroupKey group(long number) {
        return number % 3 == 0 ? null : new GroupKey("g" + number % GROUPS);
    }

    private static boolean isRejected(long number) {
        return number % 10 == 3;
    }

    private static boolean isRetried(long number) {
        return number % 10 == 7;
    }

    /** Sends the next messages; answers how many. */
    int send() throws IOException {
        List<Long> numbers = LongStream.range(0, SENT_TOGETHER)
                .mapToObj(_ -> next.getAndIncrement())
                .toList();
        witness.say("sending", numbers);
        mailroom.ledger.commitAll(numbers.stream()
                .map(number -> mailroom.send(Json.number(number), group(number)))
                .toList());
        witness.say("sent", numbers);
        return numbers.size();
    }

    /** Receives some messages and does with each what its number says; answers how many there were. */
    int handle() throws IOException {
        long look = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE);
        witness.say("asking", List.of(look));
        List<Delivery> deliveries = mailroom.receive(RECEIVED_TOGETHER, lease);
        if (deliveries.isEmpty()) {
            return 0;
        }
        List<Fact> received = new ArrayList<>(List.of(new Fact("answered", look)));
        deliveries.forEach(delivery -> received.add(new Fact("received", number(delivery.message()))));
        witness.say(received);
        List<Commit> verdicts = deliveries.stream().<Commit>map(this::verdict).toList();
        witness.say(facts(deliveries, place -> asked(verdicts.get(place))));
        List<Outcome> outcomes = mailroom.ledger.commitAll(verdicts);
        witness.say(facts(deliveries, place -> told(outcomes.get(place))));
        return deliveries.size();
    }

    private Settle verdict(Delivery delivery) {
        MessageRow message = delivery.message();
        Verdict verdict = new Verdict.Done();
        if (isRejected(number(message)) && message.earlierDeliveries() == 0) {
            verdict = new Verdict.Reject("its number says so");
        } else if (isRetried(number(message)) && message.deliveries() == 1) {
            verdict = new Verdict.Retry(Duration.ZERO, "its number says so");
        }
        return new Settle(Mailroom.TENANT, delivery.receipt(), verdict);
    }

    private static String asked(Commit settle) {
        return switch (((Settle) settle).verdict()) {
            case Verdict.Done _ -> "acking";
            case Verdict.Retry _ -> "retrying";
            case Verdict.Release _ -> "releasing";
            case Verdict.Reject _ -> "rejecting";
        };
    }

    private static String told(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Settled settled ->
                switch (settled.fate()) {
                    case DONE -> "acked";
                    case RETRIED -> "retried";
                    case RELEASED -> "released";
                    case DEAD_LETTERED -> "rejected";
                    case DROPPED -> "dropped";
                };
            case Outcome.LeaseLost _ -> "late";
            case Outcome other -> throw new IllegalStateException("a settle was answered " + other);
        };
    }

    private interface Word {
        String at(int place);
    }

    private static List<Fact> facts(List<Delivery> deliveries, Word word) {
        List<Fact> facts = new ArrayList<>();
        for (int place = 0; place < deliveries.size(); place++) {
            facts.add(new Fact(word.at(place), number(deliveries.get(place).message())));
        }
        return facts;
    }

    private static long number(MessageRow message) {
        return Long.parseLong(message.body().text());
    }

    /** Puts dead letters back that lie there; several processes may meet at one, and one of them does it. */
    int redrive() throws IOException {
        List<MessageRow> dead = mailroom.messages(Mailroom.QUEUE.deadLetters()).stream()
                .limit(RECEIVED_TOGETHER)
                .toList();
        int redriven = 0;
        for (MessageRow message : dead) {
            Outcome outcome =
                    mailroom.ledger.commit(new Redrive(Mailroom.TENANT, Mailroom.QUEUE.deadLetters(), message.id()));
            if (outcome instanceof Outcome.Changed(int count) && count == 1) {
                witness.say("redriven", List.of(number(message)));
                redriven++;
            }
        }
        return redriven;
    }

    /** Starts the next run, which every process starts under the same key. There is no hurry. */
    int start() throws IOException {
        long number = nextRun.getAndIncrement();
        witness.say("starting", List.of(number));
        Outcome outcome = mailroom.ledger.commit(mailroom.start("key " + number, Json.number(number)));
        switch (outcome) {
            case Outcome.Started _ -> witness.say("started", List.of(number));
            case Outcome.Duplicate _ -> witness.say("duplicate", List.of(number));
            case Outcome other -> throw new IllegalStateException("a start was answered " + other);
        }
        return 0;
    }

    /** Handles, redrives and works until there is nothing left to do, waiting for leases that others left. */
    void drain() throws IOException {
        while (!isIdle()) {
            if (handle() + redrive() + work() == 0) {
                LockSupport.parkNanos(REST_NANOS);
            }
        }
    }

    private boolean isIdle() {
        return isEmpty(mailroom.figures(Mailroom.QUEUE))
                && isEmpty(mailroom.figures(Mailroom.QUEUE.deadLetters()))
                && mailroom.store.runCounts(Mailroom.TENANT).stream()
                        .noneMatch(count -> count.status() == RunStatus.RUNNING && count.count() > 0);
    }

    private static boolean isEmpty(QueueFigures figures) {
        return figures.ready() + figures.delayed() + figures.leased() == 0;
    }

    /** Claims runs that are due and brings each to its end; answers how many there were. */
    int work() throws IOException {
        Lease token = new Lease(mailroom.environment.ids().token(), lease);
        List<ClaimedRun> claimed = mailroom.store
                .claim(new ClaimRuns(
                        Mailroom.TENANT, List.of(new Served(Mailroom.WORKFLOW, Set.of(1))), RECEIVED_TOGETHER, token))
                .runs();
        for (ClaimedRun run : claimed) {
            Json input = mailroom.store
                    .run(Mailroom.TENANT, run.run())
                    .orElseThrow()
                    .definition()
                    .input();
            Outcome outcome = mailroom.ledger.commit(new Advance(
                    Mailroom.TENANT,
                    run.run(),
                    token.token(),
                    1,
                    List.of(new Draft(new Event.RunCompleted(input))),
                    List.of(),
                    null));
            if (outcome instanceof Outcome.Appended) {
                witness.say("completed", List.of(Long.parseLong(input.text())));
            }
        }
        return claimed.size();
    }

    @Override
    public void close() {
        mailroom.close();
    }
}
