package io.perdure.sdk.queue;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a queue stands. {@code in} is always {@code depth() + out + deadLettered + expired}: no message is in two places, none in no
 * place.
 *
 * @param ready due and not leased, those included that wait behind their group's head or for the sweep
 * @param delayed not yet due; a message that was sent without a delay never is, wherever the store's clock has gone since
 * @param leased with a receiver
 * @param oldest since when the message that has waited longest for a receiver has been ready
 * @param in messages that ever came in: sent, redriven or dead-lettered into this queue
 * @param out messages that were done, discarded, purged, or redriven away
 * @param retried times a receiver gave a message back
 * @param deadLettered messages given up, moved to the dead-letter queue or dropped
 * @param expired messages that outlived their retention
 */
public record QueueFigures(
        long ready,
        long delayed,
        long leased,
        @Nullable Instant oldest,
        long in,
        long out,
        long retried,
        long deadLettered,
        long expired) {
    /** How many messages it holds, whether they can be received or not. */
    public long depth() {
        return ready + delayed + leased;
    }
}
