package io.perdure.client;

import io.perdure.sdk.PerdureException;
import io.perdure.sdk.consumer.Arrivals;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.logging.Logs;
import io.perdure.sdk.queue.Receiving;
import io.perdure.sdk.wire.MessageJson;
import io.perdure.sdk.wire.QueueJson;
import io.perdure.sdk.wire.RestHeaders;
import java.time.Duration;
import java.util.UUID;

/**
 * One receive of a consumer, sent once: what goes wrong is for the consumer to try again. It can be ended, at the server too: one that was
 * merely left would be given messages that nobody gets.
 */
final class RemotePoll {
    private static final System.Logger LOG = Logs.of(RemotePoll.class);

    /** The request to end it may come before it has begun to wait. */
    private static final int TRIES = 5;

    private static final Duration BETWEEN = Duration.ofMillis(200);

    private final Calls calls;
    private final RemoteQueue queue;
    private final UUID consumer;
    private final Receiving receiving;
    private final UUID request;
    private final Bell answered;
    private final Later<Arrivals> arrivals = new Later<>();

    private RemotePoll(Calls calls, RemoteQueue queue, UUID consumer, Receiving receiving) {
        this.calls = calls;
        this.consumer = consumer;
        this.queue = queue;
        this.receiving = receiving;
        this.request = calls.requestId();
        this.answered = calls.environment().bell();
    }

    /**
     * Asks, on a thread of its own, of the operating system: a consumer goes on to receive while handlers that compute keep every carrier of virtual threads busy.
     *
     * @param consumer the same for all receives of one: those with a match go on where the one before stopped
     */
    static RemotePoll begin(Calls calls, RemoteQueue queue, UUID consumer, Receiving receiving) {
        RemotePoll poll = new RemotePoll(calls, queue, consumer, receiving);
        calls.environment().startApart("perdure-receive", poll::run);
        return poll;
    }

    private void run() {
        Call call = Call.change("POST", path(), QueueJson.write(receiving), request, Call.Again.IF_UNDONE)
                .header(RestHeaders.CONSUMER, consumer.toString())
                .waiting(receiving.waiting())
                .patience(Duration.ZERO);
        arrivals.complete(
                () -> calls.ask(call, answer -> MessageJson.arrivals(queue, answer)),
                tooLate -> tooLate.deliveries().forEach(RemoteReceiving::giveBack));
        answered.ring();
    }

    private String path() {
        return Paths.queue(queue.name()) + "/receive";
    }

    /** Waits for what it brings; nothing where it was left, or this thread is interrupted, whose flag stays set. */
    Arrivals await() {
        try {
            return arrivals.awaitInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            end();
            return Arrivals.NONE;
        }
    }

    /** Has another thread tell the server to wait no longer. Returns at once; whoever awaits it does so within moments. */
    void end() {
        try {
            calls.environment().startApart("perdure-end-receive", this::tellServer);
        } catch (RuntimeException | Error e) {
            // Whoever closes a consumer must get on.
            leave();
            LOG.log(System.Logger.Level.ERROR, "No thread could be started to end a receive at the server.", e);
        }
    }

    private void tellServer() {
        try {
            for (int tries = 0; tries < TRIES && !arrivals.isDone(); tries++) {
                calls.ask(calls.natural(
                                "POST",
                                path() + "/end",
                                JsonObject.builder()
                                        .put("request", request.toString())
                                        .build())
                        .patience(Duration.ZERO));
                answered.await(BETWEEN);
            }
        } catch (PerdureException e) {
            LOG.log(System.Logger.Level.DEBUG, "A receive could not be ended at the server: {0}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            leave();
        }
    }

    /** Nobody waits for it any more. What still comes is given back. */
    private void leave() {
        arrivals.giveUp(Arrivals.NONE);
    }
}
