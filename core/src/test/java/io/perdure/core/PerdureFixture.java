package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.core.store.Store;
import io.perdure.core.store.memory.MemoryStore;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.QueueFigures;
import io.perdure.sdk.queue.QueueStatus;
import io.perdure.sdk.queue.Receiving;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;

/** An engine over a fresh store in virtual time, with a queue to use. */
abstract class PerdureFixture {
    static final Duration SECOND = Duration.ofSeconds(1);
    static final Duration LONG = Duration.ofSeconds(20);
    static final String RECEIVER = "receiver";
    static final Json BODY = Json.of("{\"to\":\"a@b.c\"}");

    final VirtualTime time = new VirtualTime();
    final BentStore bent = new BentStore(openStore(time));
    final Perdure perdure = Perdure.over(bent.store(), time, OpenOptions.defaults());
    final MessageQueue mail = perdure.createQueue("mail");

    /** The store under these tests: any that passes {@code StoreContract} will do. */
    static Store openStore(Environment environment) {
        return new MemoryStore(environment.clock(), Limits.defaults());
    }

    @AfterEach
    void closeAll() {
        perdure.close();
    }

    static void assertCode(ErrorCode code, ThrowingCallable call) {
        assertThatExceptionOfType(PerdureException.class)
                .isThrownBy(call)
                .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(code));
    }

    Delivery receiveOne(MessageQueue queue) {
        List<Delivery> deliveries = queue.receive(Receiving.upTo(1));
        assertThat(deliveries).hasSize(1);
        return deliveries.getFirst();
    }

    /** Returns when the store was called so many times in all. */
    void awaitCalls(String method, int count) {
        long began = System.nanoTime();
        while (bent.count(method) < count) {
            assertThat(System.nanoTime() - began)
                    .as("patience with %s", method)
                    .isLessThan(VirtualTime.PATIENCE.toNanos());
            Thread.onSpinWait();
        }
    }

    QueueFigures figures(String queue) {
        return perdure.queues().stream()
                .filter(status -> status.name().value().equals(queue))
                .map(QueueStatus::figures)
                .findFirst()
                .orElseThrow();
    }

    /** A thread that receives. */
    record Receiver(Thread thread, CompletableFuture<List<Delivery>> answer) {
        List<Delivery> received() throws Exception {
            return answer.get(60, TimeUnit.SECONDS);
        }

        PerdureException failure() throws Exception {
            return answer.handle((_, thrown) -> (PerdureException) thrown).get(60, TimeUnit.SECONDS);
        }
    }

    Receiver receiver(MessageQueue queue, Receiving receiving) {
        CompletableFuture<List<Delivery>> answer = new CompletableFuture<>();
        Thread thread = time.start(RECEIVER, () -> {
            try {
                answer.complete(queue.receive(receiving));
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        return new Receiver(thread, answer);
    }

    /** A receiver of one message that has looked, found nothing, and waits for as long as may be. */
    Receiver waitingReceiver() throws InterruptedException {
        return waitingReceivers(1).getFirst();
    }

    /** Receivers that came one after another, so that the first of them is the first in line. */
    List<Receiver> waitingReceivers(int count) throws InterruptedException {
        List<Receiver> receivers = new ArrayList<>();
        while (receivers.size() < count) {
            receivers.add(receiver(mail, Receiving.upTo(1).waiting(LONG)));
            time.awaitIdle(RECEIVER, receivers.size());
        }
        return receivers;
    }
}
