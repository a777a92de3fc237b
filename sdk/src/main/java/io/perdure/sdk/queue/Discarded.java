package io.perdure.sdk.queue;

import io.perdure.sdk.id.MessageId;
import java.util.List;

/**
 * What became of dead letters that were to be discarded.
 *
 * @param count how many are gone for good
 * @param missing those that were not there: redriven, discarded before or expired
 */
public record Discarded(int count, List<MessageId> missing) {
    public Discarded {
        missing = List.copyOf(missing);
    }
}
