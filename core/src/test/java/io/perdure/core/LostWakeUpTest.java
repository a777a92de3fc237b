package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.Receiving;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** Time stands still, so that a wake-up that got lost would leave a message where it is for ever. */
class LostWakeUpTest extends PerdureFixture {
    private static final int MESSAGES = 600;
    private static final int RECEIVERS = 12;
    private static final int KINDS = 4;

    private final Set<MessageId> received = ConcurrentHashMap.newKeySet();
    private final CountDownLatch missing = new CountDownLatch(MESSAGES);

    @RepeatedTest(5)
    void everyMessageIsReceivedWhoeverIsInterruptedMeanwhile(RepetitionInfo repetition) throws InterruptedException {
        receiveAll(repetition, receiver -> Receiving.upTo(1 + receiver % 3).waiting(LONG));
    }

    @RepeatedTest(5)
    void everyMessageIsReceivedByOneWhoAsksForItWhoeverIsInterruptedMeanwhile(RepetitionInfo repetition)
            throws InterruptedException {
        receiveAll(
                repetition,
                receiver -> Receiving.upTo(1 + receiver % 2).waiting(LONG).matching(kind(receiver)));
    }

    private static Json kind(int number) {
        return Json.of("{\"kind\":%s}".formatted(number % KINDS));
    }

    private void receiveAll(RepetitionInfo repetition, IntFunction<Receiving> how) throws InterruptedException {
        Random random = new Random(repetition.getCurrentRepetition());
        List<Thread> receivers = new ArrayList<>();
        for (int i = 0; i < RECEIVERS; i++) {
            Receiving receiving = how.apply(i);
            receivers.add(time.start(RECEIVER, () -> receiveUntilAllAreThere(receiving)));
        }

        int sent = 0;
        while (sent < MESSAGES) {
            int count = Math.min(1 + random.nextInt(4), MESSAGES - sent);
            mail.sendAll(IntStream.range(sent, sent + count)
                    .mapToObj(number -> Outgoing.of(kind(number)))
                    .toList());
            sent += count;
            receivers.get(random.nextInt(RECEIVERS)).interrupt();
        }

        assertThat(missing.await(60, TimeUnit.SECONDS))
                .as("%s messages are left", missing.getCount())
                .isTrue();
        assertThat(received).hasSize(MESSAGES);
        perdure.close();
        for (Thread receiver : receivers) {
            receiver.join();
        }
        assertThat(bent.watches()).isZero();
    }

    private void receiveUntilAllAreThere(Receiving receiving) {
        while (missing.getCount() > 0) {
            List<Delivery> deliveries;
            try {
                deliveries = mail.receive(receiving);
            } catch (RuntimeException e) {
                // The engine was closed: every message was received.
                return;
            }
            // Cleared, or the next receive would not wait.
            Thread.interrupted();
            deliveries.forEach(delivery -> {
                if (received.add(delivery.id())) {
                    missing.countDown();
                }
            });
        }
    }
}
