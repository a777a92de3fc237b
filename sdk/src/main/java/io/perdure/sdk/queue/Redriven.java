package io.perdure.sdk.queue;

import io.perdure.sdk.id.MessageId;
import java.util.List;

/**
 * What became of dead letters that were to be redriven.
 *
 * @param count how many went back into the queue they came from
 * @param missing those that were not there: redriven before, discarded or expired
 */
public record Redriven(int count, List<MessageId> missing) {
    public Redriven {
        missing = List.copyOf(missing);
    }
}
