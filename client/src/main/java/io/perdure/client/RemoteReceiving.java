package io.perdure.client;

import io.perdure.sdk.PerdureException;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.logging.Logs;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.Receiving;
import io.perdure.sdk.wire.MessageJson;
import io.perdure.sdk.wire.QueueJson;
import java.time.Duration;
import java.util.List;

/**
 * Receives from one queue. A receive whose answer is lost is not sent again: what it leased is delivered again when its lease ends. Who is
 * interrupted goes away at once, and what still comes is given back.
 */
final class RemoteReceiving {
    private static final System.Logger LOG = Logs.of(RemoteReceiving.class);

    private final Calls calls;
    private final RemoteQueue queue;

    RemoteReceiving(Calls calls, RemoteQueue queue) {
        this.calls = calls;
        this.queue = queue;
    }

    List<Delivery> receive(Receiving receiving) {
        calls.requireOpen();
        if (Thread.currentThread().isInterrupted()) {
            Receiving now = receiving.waiting(Duration.ZERO);
            return later(call(now).patience(Duration.ZERO)).awaitAnyway();
        }
        Later<List<Delivery>> received = later(call(receiving));
        try {
            return received.awaitInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            // Not by this thread, which is interrupted.
            received.then(
                    task -> calls.startAlike("perdure-give-back", task),
                    deliveries -> deliveries.forEach(RemoteReceiving::giveBack));
            return List.of();
        }
    }

    private Call call(Receiving receiving) {
        return Call.natural(
                        "POST",
                        Paths.queue(queue.name()) + "/receive",
                        QueueJson.write(receiving),
                        Call.Again.IF_UNDONE)
                .waiting(receiving.waiting());
    }

    private Later<List<Delivery>> later(Call call) {
        return calls.later("perdure-receive", () -> calls.ask(call, this::deliveries));
    }

    private List<Delivery> deliveries(Json answer) {
        return MessageJson.arrivals(queue, answer).deliveries();
    }

    /** Gives back what nobody waited for. */
    static void giveBack(Delivery delivery) {
        try {
            delivery.release();
        } catch (PerdureException e) {
            LOG.log(System.Logger.Level.DEBUG, "Message {0} comes back when its lease ends: {1}", delivery.id(), e);
        }
    }
}
