package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.consumer.QueueConsumer;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.ConsumeOptions;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.Receiving;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many messages a consumer receives ahead of its handlers, and how. In virtual time every wait for a handler is short, unless the test passes time. */
class ConsumerPrefetchTest extends ConsumerFixture {
    private static final int SENT_AT_ONCE = 100;

    /** Handlers that are quick until so many messages have begun. */
    private static final int QUICK = 1_000;

    private final Gate gate = new Gate();
    private final AtomicInteger begun = new AtomicInteger();

    private void sendMany(int count, IntFunction<Outgoing> message) {
        for (int from = 0; from < count; from += SENT_AT_ONCE) {
            mail.sendAll(
                    IntStream.range(from, from + SENT_AT_ONCE).mapToObj(message).toList());
        }
    }

    private void sendMany(int count) {
        sendMany(count, number -> Outgoing.of(Json.number(number)));
    }

    /** A consumer whose handlers stop after many quick ones, once it has received all that it wants. */
    private QueueConsumer stalled(ConsumeOptions options) throws InterruptedException {
        QueueConsumer consumer = perdure.consume("mail", options, delivery -> {
            if (begun.incrementAndGet() > QUICK) {
                gate.pass(delivery);
            }
        });
        gate.awaitReached();
        return consumer;
    }

    @Test
    void defaultConsumer_whileHandlersAreQuick_receivesHundredsAhead() throws InterruptedException {
        sendMany(3_000);
        QueueConsumer consumer = stalled(ConsumeOptions.defaults());

        until(() -> consumer.figures().inHand() >= 300);

        gate.open();
        until(() -> consumer.figures().handled() == 3_000);
        assertThat(consumer.figures().lost()).isZero();
    }

    @Test
    void defaultConsumer_whileHandlersAreSlow_leavesMessagesToOthers() {
        AtomicInteger most = new AtomicInteger();
        sendMany(200);
        ConsumeOptions slow = ConsumeOptions.defaults().concurrency(1).visibility(Duration.ofHours(12));
        QueueConsumer consumer = perdure.consume("mail", slow, _ -> {
            most.accumulateAndGet((int) figures("mail").leased(), Math::max);
            time.pass(SECOND);
        });

        until(() -> consumer.figures().handled() == 200);

        // A handler, a few messages ahead, and as many answers that the store is being told.
        assertThat(most.get()).isLessThanOrEqualTo(16);
    }

    @Test
    void defaultConsumer_withManySlowHandlers_leavesMessagesToOthers() throws InterruptedException {
        sendMany(3_000);
        QueueConsumer consumer =
                perdure.consume("mail", ConsumeOptions.defaults().concurrency(1_000), gate::pass);

        until(() -> consumer.figures().inHand() > 1_000);
        time.awaitIdle(INTAKE, 1);

        // Receives whose messages all begin at once do not show that the handlers are quick.
        assertThat(consumer.figures().inHand()).isLessThanOrEqualTo(1_100);
        gate.open();
        until(() -> consumer.figures().handled() == 3_000);
    }

    @Test
    void defaultConsumer_whoseHandlersStall_givesBackWhatWaits() throws InterruptedException {
        sendMany(3_000);
        QueueConsumer consumer = stalled(ConsumeOptions.defaults());
        until(() -> consumer.figures().inHand() >= 300);
        time.awaitIdle(INTAKE, 1);

        passThirds(2);

        // One waits for each of the handlers at most.
        until(() -> figures("mail").leased() <= 32);
        assertThat(consumer.figures().lost()).isZero();
        assertThat(mail.receive(Receiving.upTo(100)))
                .as("given back without counting a delivery")
                .hasSize(100)
                .allMatch(delivery -> delivery.attempts() == 1);
        gate.open();
        until(() -> consumer.figures().handled() == 2_900);
    }

    @Test
    void explicitPrefetch_withManyMessages_isNeverExceeded() throws InterruptedException {
        AtomicInteger most = new AtomicInteger();
        sendMany(3_000);
        bent.after("receive", () -> most.accumulateAndGet((int) figures("mail").leased(), Math::max));
        QueueConsumer consumer =
                stalled(ConsumeOptions.defaults().concurrency(2).prefetch(400));
        until(() -> consumer.figures().inHand() > 200);
        time.awaitIdle(INTAKE, 1);

        assertThat(consumer.figures().inHand()).isLessThanOrEqualTo(402);
        passThirds(2);
        assertThat(consumer.figures().inHand()).as("kept, however slow").isGreaterThan(200);
        gate.open();
        until(() -> consumer.figures().handled() == 3_000);
    }

    @Test
    void receives_whileMoreMessagesAreThere_overlap() throws InterruptedException {
        CountDownLatch two = new CountDownLatch(2);
        sendMany(3_000);
        bent.before("receive", () -> {
            if (begun.get() > QUICK / 2) {
                two.countDown();
                awaitOther(two);
            }
        });
        QueueConsumer consumer = perdure.consume("mail", _ -> begun.incrementAndGet());

        assertThat(two.await(VirtualTime.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as("two receives at once")
                .isTrue();
        until(() -> consumer.figures().handled() == 3_000);
    }

    @Test
    void close_whileTwoReceivesAreInProgress_givesBackWhatTheyBring() throws InterruptedException {
        CountDownLatch two = new CountDownLatch(2);
        Gate store = new Gate();
        sendMany(3_000);
        bent.before("receive", () -> {
            if (begun.get() > QUICK / 2) {
                two.countDown();
                store.passUninterrupted("receive");
            }
        });
        QueueConsumer consumer = perdure.consume("mail", _ -> begun.incrementAndGet());
        assertThat(two.await(VirtualTime.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as("two receives at once")
                .isTrue();
        Thread closer = time.start("closer", consumer::close);
        // It has stopped, and waits for the receives.
        until(() -> closer.getState() == Thread.State.WAITING);

        store.open();
        awaitEnd(closer);

        assertThat(figures("mail").leased()).isZero();
        assertThat(figures("mail").ready()).isEqualTo(3_000 - consumer.figures().handled());
        assertThat(mail.receive(Receiving.upTo(100))).allMatch(delivery -> delivery.attempts() == 1);
    }

    @Test
    void groups_receivedByTwoReceivesAtOnce_keepTheirOrder() {
        Map<String, Queue<String>> handled = new ConcurrentHashMap<>();
        sendMany(900, number -> Outgoing.of(Json.number(number / 300)).group("g" + number % 300));
        QueueConsumer consumer = perdure.consume(
                "mail",
                delivery -> handled.computeIfAbsent(
                                delivery.group().orElseThrow().value(), _ -> new ConcurrentLinkedQueue<>())
                        .add(delivery.body().text()));

        until(() -> consumer.figures().handled() == 900);

        assertThat(handled)
                .hasSize(300)
                .allSatisfy((_, numbers) -> assertThat(numbers)
                        .containsExactlyElementsOf(IntStream.range(0, 3)
                                .mapToObj(Integer::toString)
                                .toList()));
    }

    private static void awaitOther(CountDownLatch two) {
        try {
            assertThat(two.await(VirtualTime.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
