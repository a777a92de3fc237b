package io.perdure.client;

import io.perdure.sdk.Limits;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.queue.ExtendedLeases;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.QueueBounds;
import io.perdure.sdk.wire.FieldReader;
import io.perdure.sdk.wire.QueueJson;
import io.perdure.sdk.wire.Seconds;
import io.perdure.sdk.wire.Words;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Says what became of messages, by their receipts. All of it can be sent twice. A second try of a retry, reject or release hears what the first did. Of an
 * acknowledgement it hears that it is not too late where the message is gone; where it is not, it is {@code PD-406}, as for any that is no longer held.
 */
final class RemoteReceipts {
    /** Most receipts in one request. */
    static final int MOST = Limits.defaults().rest().named();

    private final Calls calls;
    private final String place;
    private final Duration patience;
    private final Duration oneTry;

    /**
     * Says it there.
     *
     * @param place the path of a queue, or of all of them
     */
    RemoteReceipts(Calls calls, String place) {
        this(calls, place, calls.patience(), Call.TRY);
    }

    private RemoteReceipts(Calls calls, String place, Duration patience, Duration oneTry) {
        this.calls = calls;
        this.place = place;
        this.patience = patience;
        this.oneTry = oneTry;
    }

    /** The same, where it is sent again for so long. */
    RemoteReceipts patience(Duration atMost) {
        return new RemoteReceipts(calls, place, atMost, oneTry);
    }

    /** The same, where one try takes no longer than this, nor than any other. */
    RemoteReceipts oneTry(Duration atMost) {
        return new RemoteReceipts(calls, place, patience, atMost.compareTo(Call.TRY) < 0 ? atMost : Call.TRY);
    }

    void ack(Receipt receipt) {
        if (!ackAll(List.of(receipt)).isEmpty()) {
            throw receipt.lost();
        }
    }

    /** Acknowledges messages, each on its own; answers the receipts that came too late. */
    List<Receipt> ackAll(List<Receipt> receipts) {
        calls.requireOpen();
        List<Receipt> late = new ArrayList<>();
        for (int from = 0; from < receipts.size(); from += MOST) {
            List<Receipt> some = receipts.subList(from, Math.min(from + MOST, receipts.size()));
            Json body =
                    JsonObject.builder().put("receipts", QueueJson.texts(some)).build();
            late.addAll(calls.ask(
                    again(calls.natural("POST", place + "/acks", body)),
                    answer -> FieldReader.of(answer).list("late", text -> Receipt.parse(text.content()))));
        }
        return List.copyOf(late);
    }

    Fate retry(Receipt receipt, Duration delay, String error) {
        QueueBounds.delay(delay);
        return settle(
                receipt, JsonObject.builder().put("retry", Seconds.of(delay)).put("error", error));
    }

    Fate reject(Receipt receipt, String error) {
        return settle(receipt, JsonObject.builder().put("reject", error));
    }

    void release(Receipt receipt) {
        settle(receipt, JsonObject.builder().put("release", true));
    }

    Instant extend(Receipt receipt, Duration length) {
        QueueBounds.lease(length);
        return calls.ask(
                again(calls.natural(
                        "PATCH",
                        path(receipt),
                        JsonObject.builder().put("extend", Seconds.of(length)).build())),
                answer -> FieldReader.of(answer).time("leasedUntil"));
    }

    /** Makes leases end so long from now, each on its own. */
    ExtendedLeases extendAll(List<Receipt> receipts, Duration length) {
        calls.requireOpen();
        QueueBounds.lease(length);
        List<Receipt> late = new ArrayList<>();
        Instant until = null;
        for (int from = 0; from < receipts.size(); from += MOST) {
            List<Receipt> some = receipts.subList(from, Math.min(from + MOST, receipts.size()));
            Json body = JsonObject.builder()
                    .put("receipts", QueueJson.texts(some))
                    .put("visibility", Seconds.of(length))
                    .build();
            ExtendedLeases extended =
                    calls.ask(again(calls.natural("POST", place + "/extensions", body)), QueueJson::extended);
            late.addAll(extended.late());
            until = until == null ? extended.until() : until;
        }
        return new ExtendedLeases(until, late);
    }

    private Fate settle(Receipt receipt, JsonObject.Builder verdict) {
        return calls.ask(
                again(calls.repeatable("PATCH", path(receipt), verdict.build())),
                answer -> FieldReader.of(answer).parsed("fate", word -> Words.parse(Fate.class, word)));
    }

    private String path(Receipt receipt) {
        return place + "/messages/" + Paths.encoded(receipt.toString());
    }

    private Call again(Call call) {
        return call.patience(patience).oneTry(oneTry);
    }
}
