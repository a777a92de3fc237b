package io.perdure.testkit.queue;

import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.QueueCommit.Redrive;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.Store;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.QueueFigures;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.testkit.queue.Observer.Office;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * What a process does with messages of many groups. Each bears a number, which decides what becomes of it: one in ten is rejected,
 * one in ten is given back until its deliveries are used up, one in ten is given back once; and whoever is given something releases it
 * now and then. Dead letters are put back, once, where the tens digit of their number is even, and are done then. Safe for several
 * threads.
 */
final class GroupTraffic {
    static final TenantId TENANT = TenantId.DEFAULT;
    static final QueueName QUEUE = new QueueName("groups");
    static final QueueName LETTERS = QUEUE.deadLetters();

    /** Short, so that what a killed process held comes back soon; long enough for a thread that has to wait for its turn. */
    static final Duration LEASE = Duration.ofSeconds(5);

    static final QueueSettings SETTINGS = QueueSettings.defaults().retries(2);
    private static final int GROUPS = 20;
    private static final int MOST_SENT_TOGETHER = 3;
    private static final int RECEIVED_TOGETHER = 4;
    private static final int ALL = 10_000;
    private static final double RELEASED = 0.15;
    static final String ERROR = "its-number-says-so";

    private final Office office;
    private final AtomicLong next;

    GroupTraffic(Office office, long firstNumber) {
        this.office = office;
        this.next = new AtomicLong(firstNumber);
    }

    static NewMessage message(MessageId id, long number, String group) {
        Map<String, String> headers = Map.of("number", Long.toString(number));
        return new NewMessage(id, QUEUE, Json.number(number), headers, Duration.ZERO, new GroupKey(group), null);
    }

    /** Sends a few messages in one commit, to one group or to several; answers how many. */
    int send(Observer observer) throws IOException {
        RandomGenerator random = office.environment().random();
        int count = random.nextInt(1, MOST_SENT_TOGETHER + 1);
        List<NewMessage> messages = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            messages.add(message(
                    office.environment().ids().messageId(), next.getAndIncrement(), "g" + random.nextInt(GROUPS)));
        }
        observer.commit(new Send(TENANT, messages));
        return count;
    }

    /** Receives some messages and does with each what its number says; answers how many there were. */
    int handle(Observer observer) throws IOException {
        List<Delivery> deliveries = observer.receive(QUEUE, RECEIVED_TOGETHER);
        for (Delivery delivery : deliveries) {
            observer.commit(new Settle(TENANT, delivery.receipt(), verdict(delivery.message())));
        }
        return deliveries.size();
    }

    private Verdict verdict(MessageRow message) {
        long number = Long.parseLong(message.body().text());
        if (office.environment().random().nextDouble() < RELEASED) {
            return new Verdict.Release();
        }
        if (message.earlierDeliveries() > 0) {
            return new Verdict.Done();
        }
        return switch ((int) (number % 10)) {
            case 3 -> new Verdict.Reject(ERROR);
            case 5 -> new Verdict.Retry(Duration.ZERO, ERROR);
            case 7 -> message.deliveries() == 1 ? new Verdict.Retry(Duration.ofMillis(20), ERROR) : new Verdict.Done();
            default -> new Verdict.Done();
        };
    }

    /** Puts back a few of the dead letters that are to come back; several processes may meet at one. Answers how many it asked for. */
    int redrive(Observer observer) throws IOException {
        List<MessageRow> back =
                toPutBack(office.store()).stream().limit(RECEIVED_TOGETHER).toList();
        for (MessageRow letter : back) {
            observer.saw(letter);
            observer.commit(new Redrive(TENANT, LETTERS, letter.id()));
        }
        return back.size();
    }

    private static boolean comesBack(MessageRow letter) {
        return Long.parseLong(letter.body().text()) / 10 % 2 == 0 && letter.earlierDeliveries() == 0;
    }

    private static List<MessageRow> toPutBack(Store store) {
        return store.messages(new MessageQuery(TENANT, LETTERS, false, null, ALL)).stream()
                .filter(GroupTraffic::comesBack)
                .toList();
    }

    /**
     * What is left to receive or to put back, in words; empty where nothing is. Queue and dead letters are read one after the other:
     * that figures are the same before and after says that nothing went from one to the other in between.
     */
    static Optional<String> left(Store store) {
        QueueFigures before = figures(store);
        List<MessageRow> letters = toPutBack(store);
        QueueFigures after = figures(store);
        boolean isEmpty = after.ready() + after.delayed() + after.leased() == 0;
        return isEmpty && before.equals(after) && letters.isEmpty()
                ? Optional.empty()
                : Optional.of("%s, a moment before %s, and to be put back %s".formatted(after, before, letters));
    }

    private static QueueFigures figures(Store store) {
        return store.figures(TENANT, QUEUE).orElseThrow();
    }
}
